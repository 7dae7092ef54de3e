"""A model is after a play as it was before."""

import pytest
import torch
from torch import nn

from shapewright.probes.state import Changed, evaluating


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.5)
        self.register_buffer("seen", torch.zeros(()))
        self.state, self.log, self.hidden = torch.ones(2), [1], None

    def forward(self, x):
        self.seen += 1
        self.state.mul_(2)
        self.log.append(2)
        self.hidden = x
        self.added = True
        return self.drop(self.norm(x))


def test_buffers_attributes_and_modes_are_put_back():
    model = Memory().train()
    model.norm.eval()
    x = torch.randn(4, 3)
    with evaluating(model):
        assert not any(part.training for part in model.modules())
        model(x)
    assert model.training and model.drop.training and not model.norm.training
    assert (
        model.seen == 0
        and model.state.tolist() == [1, 1]
        and model.log == [1]
        and model.hidden is None
        and not hasattr(model, "added")
    )
    assert model.norm.num_batches_tracked == 0


def test_a_model_that_writes_to_its_parameters_is_told():
    model = nn.Linear(2, 2)
    with pytest.raises(Changed), evaluating(model), torch.no_grad():
        model.weight.add_(1)


def test_what_the_body_raises_passes_and_the_state_is_put_back():
    model = Memory().train()
    with pytest.raises(ZeroDivisionError), evaluating(model):
        model(torch.randn(4, 3))
        1 / 0
    assert model.training and model.log == [1]
