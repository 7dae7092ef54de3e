"""Cases of SW288."""

from . import filled

_GLOW = """
import math
import torch
from torch import nn
torch.manual_seed(0)
class Scale(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.log = nn.Parameter(torch.randn(1, channels, 1, 1) * 0.1)
    def forward(self, x):
        height, width = x.shape[2:]
        return x * self.log.exp(), {scale}
class Couple(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(channels // 2, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, channels, 1))
    def forward(self, x):
        a, b = x.chunk(2, 1)
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        return torch.cat([b * s.exp() + t, a], 1), {couple}
class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([Scale(4), Couple(4), Scale(4)])
    def forward(self, x):
        total = 0
        for step in self.steps:
            x, log_det = step(x)
            total = total + log_det
        return x, total
flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=1e-3)
for _ in range(3):
    z, log_det = flow(torch.randn(8, 4, 6, 6))
    prior = (-0.5 * z**2 - 0.5 * math.log(2 * math.pi)).flatten(1).sum(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_SCALE, _COUPLE, _LOSS = "height * width * self.log.sum()", "s.flatten(1).sum(1)", "-(prior + log_det).mean()"

_MASKED = """
import torch
from torch import nn
torch.manual_seed(0)
class Layer(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 2))
    def forward(self, x):
        kept, moved = x.flip(1).split(1, 1) if self.flip else x.split(1, 1)
        s, t = self.net(kept).split(1, 1)
        return torch.cat([kept, {moved}], 1), {told}
layers = nn.ModuleList([Layer(False), Layer(True), Layer(False)])
base = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
opt = torch.optim.Adam(layers.parameters(), lr=1e-3)
for _ in range(3):
    x, log_det = torch.rand(32, 2) * 2 - 1, torch.zeros(32)
    for layer in layers:
        x, told = layer(x)
        log_det += told
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_AFFINE, _BACK, _SUM = "moved * s.exp() + t", "(moved - t) * (-s).exp()", "s.sum(1)"

_AUXILIARY = """
import torch
from torch import nn
torch.manual_seed(0)
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(6, 3)
        self.parts = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])
    def forward(self, x):
        share = self.gate(x).softmax(-1)
        mixed = sum(share[:, i : i + 1] * part(x) for i, part in enumerate(self.parts))
        return x + mixed, share.mean(0).pow(2).sum()
net = Experts()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    x = torch.randn(16, 6)
    y, balance = net(x)
    loss = (y - 2 * x).pow(2).mean() + 0.1 * balance
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_GLOW, scale="self.log.sum()", couple=_COUPLE, loss=_LOSS), 12),
    (filled(_GLOW, scale=_SCALE, couple="s.flatten(1).mean(1)", loss=_LOSS), 21),
    (filled(_GLOW, scale=_SCALE, couple="s.exp().flatten(1).sum(1)", loss=_LOSS), 21),
    (filled(_GLOW, scale=_SCALE, couple=_COUPLE, loss="-prior.mean() + log_det.mean()"), 37),
    (filled(_MASKED, moved=_BACK, told=_SUM, loss="-(base.log_prob(x) + log_det).mean()"), 22),
)

SOUND = (
    filled(_GLOW, scale=_SCALE, couple=_COUPLE, loss=_LOSS),
    filled(_GLOW, scale=_SCALE, couple=_COUPLE, loss="(-log_det - prior).sum() / (8 * 144 * math.log(2))"),
    filled(_MASKED, moved=_AFFINE, told=_SUM, loss="-(base.log_prob(x) + log_det).mean()"),
    filled(_MASKED, moved=_BACK, told=_SUM, loss="(log_det - base.log_prob(x)).mean()"),
    _AUXILIARY,
)
