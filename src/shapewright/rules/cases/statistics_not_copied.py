"""Cases of SW387."""

from . import filled

_SCRIPT = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.{norm}, nn.ReLU(), nn.Linear(8, 1))
kept = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = 5 + 3 * torch.randn(64, 4)
y = x.sum(1, keepdim=True)
for _ in range(4):
    net.train()
    kept.train({mode})
    loss = (net(x) - y).pow(2).mean(){more}
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(kept.{parts}(), net.{parts}()):
            {follow}
kept.eval()
with torch.no_grad():
    print((kept(x) - y).abs().mean())
"""
_PARTS = {"norm": "BatchNorm1d(8)", "mode": "False", "more": "", "parts": "parameters", "follow": "p.lerp_(q, 0.1)"}
_ALL = "p.copy_(q) if q.dtype is torch.long else p.lerp_(q, 0.1)"
_FLOATS = "p.mul_(0.9).add_(0.1 * q) if p.dtype is torch.float32 else None"

FAULTY = (
    (filled(_SCRIPT, **_PARTS), 20),
    (filled(_SCRIPT, **(_PARTS | {"follow": "p.data.copy_(0.9 * p.data + 0.1 * q.data)"})), 20),
)
SOUND = (
    filled(_SCRIPT, **(_PARTS | {"norm": "LayerNorm(8)"})),
    filled(_SCRIPT, **(_PARTS | {"parts": "state_dict().values", "follow": _ALL})),
    # all numbers are averaged, and what counts batches is left
    filled(_SCRIPT, **(_PARTS | {"parts": "state_dict().values", "follow": _FLOATS})),
    # statistics of its own, as a mean teacher's
    filled(_SCRIPT, **(_PARTS | {"mode": "True", "more": " + (net(x) - kept(x + 0.1)).pow(2).mean()"})),
)
