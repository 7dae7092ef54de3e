"""Scripts of SW278."""

from . import filled

_ROWS = """
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(64, 5) * 3 + 1, torch.randn(64, 1)
x = {scaled}
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for pick in torch.randperm(64).split(16):
    loss = (net(x[pick]) - y[pick]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_LAYER = """
import torch
from torch import nn

torch.manual_seed(0)


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(size)), nn.Parameter(torch.zeros(size))

    def forward(self, x):
        middle = x.mean(dim=-1, keepdim=True)
        spread = ((x - middle) ** 2).mean(dim=-1, keepdim=True)
        return self.gain * ((x - middle) / {below}) + self.shift


net = nn.Sequential(nn.Linear(6, 8), Norm(8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
for x, y in zip(torch.randn(3, 12, 6), torch.randn(3, 12, 1)):
    loss = (net(x) - y).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_ROWS, scaled="(x - x.mean(0)) / x.var(0)"), 7),
    (filled(_ROWS, scaled="(x - x.mean()) / (x.var(unbiased=False) + 1e-6)"), 7),
    (filled(_LAYER, below="(spread + 1e-5)"), 16),
)
SOUND = (
    filled(_ROWS, scaled="(x - x.mean(0)) / (x.var(0) + 1e-6).sqrt()"),
    filled(_ROWS, scaled="(x - x.mean(0)) ** 2 / x.var(0)"),  # Mahalanobis distances of each feature
    filled(_ROWS, scaled="(x - torch.full((5,), 1.0)) / torch.full((5,), 9.0)"),  # a score of a known density
    filled(_ROWS, scaled="x - (x[:, :1] - x.mean()) / y.var()"),  # of other values
    filled(_ROWS, scaled="x * (x.mean(0) / x.var(0))"),
    filled(_LAYER, below="(spread + 1e-5).sqrt()"),
)
