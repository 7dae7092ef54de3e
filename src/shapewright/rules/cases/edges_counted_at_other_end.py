"""Cases of SW315."""

from . import filled

_EDGES = """
import torch
from torch import nn
torch.manual_seed(0)
class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.near = nn.Linear(5, 3), nn.Linear(5, 3)
    def forward(self, x, ends):
        a, b = ends
        total = torch.zeros_like(x).{added}
        count = {counted}
        return self.own(x) + self.near(total / count.clamp(min=1).unsqueeze(1))
x, kinds = torch.randn(30, 5), torch.randint(0, 3, (30,))
ends = torch.stack([torch.randint(0, 30, (90,)), torch.randint(0, 10, (90,))]){both}
net = Around()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x, ends), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_ONES = "torch.zeros(len(x)).index_add_(0, {0}, torch.ones(len({0})))"
_BINS = "torch.bincount(b, minlength=len(x)).float()"
_SPREAD = "scatter_add_(0, {}[:, None].expand(-1, 5), x[{}])"
_BOTH = "\nends = torch.cat([ends, ends.flip(0)], 1)"
FAULTY = (
    (filled(_EDGES, added="index_add_(0, a, x[b])", counted=_ONES.format("b"), both=""), 11),
    (filled(_EDGES, added=_SPREAD.format("a", "b"), counted=_BINS, both=""), 11),
)
SOUND = (
    filled(_EDGES, added="index_add_(0, b, x[a])", counted=_ONES.format("b"), both=""),
    filled(_EDGES, added=_SPREAD.format("b", "a"), counted=_BINS, both=""),
    filled(
        _EDGES, added="index_add_(0, a, x[b])", counted=_ONES.format("b"), both=_BOTH
    ),  # every edge in both directions
    filled(_EDGES, added="index_add_(0, a, x[b])", counted=_ONES.format("a"), both=""),
)
