"""The order in which numbers run through the samples, and the answers of the pairing probe."""

import pytest
import torch

from shapewright.probes.orders import Order, orders_of
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

TURN = torch.tensor([2, 0, 3, 1])


def test_an_order_is_told_from_a_reordering():
    value = torch.randn(3, 4, 5)
    assert orders_of(value, value[:, TURN], 4, TURN) == (Order(3, 4, 5),)
    assert orders_of(value, value.clone(), 4, TURN) == (Order.FIXED,)
    assert orders_of(value.transpose(0, 1), value.transpose(0, 1)[TURN], 4, TURN) == (Order(1, 4, 15),)


def test_what_was_mixed_has_no_order():
    value = torch.randn(3, 4)
    assert orders_of(value, value[:, TURN] + 1, 4, TURN) == ()
    assert orders_of(torch.randn(6), torch.randn(6), 4, TURN) == ()


SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(24, 5), torch.randn(24))
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=8):
    out = net(x)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("loss", "holds", "kind"),
    [
        ("(out.squeeze(1) - y).square().mean()", True, None),
        ("(out - y).square().mean()", False, "crossed"),
        ("(out.mean() - y).square().mean()", False, "averaged"),
        ("(out.mean() - y.mean()).square()", None, None),
        ("(out.squeeze(1) - y)[torch.randperm(8)].cumsum(0).square().mean()", None, None),
        ("out.mul_(2).squeeze(1).sub(y).square().mean()", True, None),
    ],
)
def test_the_probe_answers(tmp_path, loss, holds, kind):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{loss}", loss))
    trace = execute(RunRequest(script=str(script)), tmp_path, Assumptions())
    answers = [answer for answer in trace.probes if answer.question == "pairing"]
    assert [answer.holds for answer in answers] == [holds] * len(answers)
    assert bool(answers) or holds is None
    if kind:
        assert answers[0].data.kind == kind
        assert answers[0].data.before == pytest.approx(answers[0].data.after, rel=1e-4)
    if holds:
        assert answers[0].data.alone != pytest.approx(answers[0].data.before, rel=1e-3)
