"""Layers of the user's own that ask for their mode and keep statistics follow it as BatchNorm does."""

import os

import pytest
from torch import nn

from shapewright.checking import check
from shapewright.run.record.modes import stochastic

LAYERS = """\
import torch
from torch import nn
from torch.nn import functional as F


class Evened(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("level", torch.zeros(size))
        self.register_buffer("spread", torch.ones(size))

    def forward(self, x):
        if self.training:
            level, spread = x.mean(0), x.var(0)
            self.level.lerp_(level.detach(), 0.1)
            self.spread.lerp_(spread.detach(), 0.1)
        else:
            level, spread = self.level, self.spread
        return (x - level) / (spread + 1e-5).sqrt()


class Shaped(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x):
        return x * self.scale
"""
SCRIPT = (
    LAYERS
    + """

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), Evened(8), nn.Linear(8, 3))
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(60, 4), torch.randint(0, 3, (60,))
for epoch in range(2):
    net.train()
    for rows in torch.randperm(40).split(10):
        loss = F.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    MODE
    with torch.no_grad():
        print((net(x[40:]).argmax(1) == y[40:]).float().mean().item())
"""
)


def test_a_layer_that_keeps_statistics_of_its_own_follows_its_mode():
    made = {}
    exec(LAYERS, made)
    assert stochastic(made["Evened"](3)) and not stochastic(made["Shaped"]())
    assert stochastic(nn.Dropout(0.5)) and stochastic(nn.BatchNorm1d(3)) and not stochastic(nn.LayerNorm(3))


@pytest.mark.parametrize("mode, found", [("net.eval()", []), ("pass", ["SW307"])])
def test_it_is_judged_in_evaluation_mode(tmp_path, resident, mode, found):
    (tmp_path / "script.py").write_text(SCRIPT.replace("MODE", mode))
    diagnosis = check(os.fspath(tmp_path / "script.py"), resident=resident, repair=False)
    assert [one.code for one in diagnosis.findings] == found and diagnosis.outcome == "complete"
