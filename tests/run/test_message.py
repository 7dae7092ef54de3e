"""What a message says becomes data in one place."""

import pytest
import torch
from torch import nn

from shapewright.run.ending.message import said
from shapewright.trace.said import CheckpointNames, CheckpointSize, ClassBeyond, NotDivisible, Refusal


def refused(call) -> tuple:
    with pytest.raises((RuntimeError, IndexError, ValueError, TypeError, AssertionError)) as error:
        call()
    return said(str(error.value))


def again():
    loss = torch.ones(2, requires_grad=True).exp().sum()
    loss.backward()
    loss.backward()


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (again, Refusal.GRAPH_FREED),
        (lambda: torch.ones(2, device="meta") + torch.ones(2), Refusal.SHAPES_ONLY),
        (lambda: torch.optim.SGD([], lr=0.1), Refusal.NO_PARAMETERS),
        (lambda: torch.ones(2) + None, Refusal.NOTHING),
        (
            lambda: nn.Linear(1, 2).load_state_dict({"own.weight": torch.ones(2, 1), "bias": torch.ones(2)}),
            CheckpointNames(("weight",), ("own.weight",)),
        ),
        (lambda: torch.ones(2, requires_grad=True).add_(1), Refusal.LEAF),
        (lambda: torch.ones(2, requires_grad=True).exp().backward(), Refusal.SCALAR),
        (lambda: torch.ones(2, 3).t().view(6), Refusal.SCATTERED),
        (lambda: torch.ones(2, 3).view(7), Refusal.COUNT),
        (lambda: torch.ones(2, requires_grad=True).numpy(), Refusal.NUMPY_OF_GRAPH),
        (lambda: torch.cat([torch.tensor(1.0), torch.tensor(2.0)]), Refusal.NO_AXIS),
        (lambda: nn.BatchNorm1d(3)(torch.ones(1, 3)), Refusal.ONE_VALUE),
        (lambda: torch.ones(2, 3) @ torch.ones(3, 2, dtype=torch.long), Refusal.TYPES),
        (lambda: torch.relu((1, 2)), Refusal.NOT_A_TENSOR),
    ],
)
def test_a_refusal_of_torch_is_known(call, what):
    assert what in refused(call)


def test_numbers_and_shapes_come_as_data():
    small, large = nn.Linear(3, 2), nn.Linear(3, 4)
    assert CheckpointSize("weight", (4, 3), (2, 3)) in refused(lambda: small.load_state_dict(large.state_dict()))
    assert NotDivisible("heads", None, None) in refused(lambda: nn.MultiheadAttention(10, 3))
    loss = nn.CrossEntropyLoss()
    assert ClassBeyond(7) in refused(lambda: loss(torch.ones(1, 3), torch.tensor([7])))
