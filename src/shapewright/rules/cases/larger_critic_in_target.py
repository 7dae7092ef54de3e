"""Scripts of SW279."""

from . import filled

_TWINS = """
import copy
import torch
from torch import nn

torch.manual_seed(0)
one, two = nn.Linear(4, 1), nn.Linear(4, 1)
slow = [copy.deepcopy(one), copy.deepcopy(two)]
opt = torch.optim.Adam([*one.parameters(), *two.parameters()])
for s, s2, r in zip(torch.randn(4, 16, 4), torch.randn(4, 16, 4), torch.randn(4, 16, 1)):
    with torch.no_grad():
        a, b = slow[0](s2), slow[1](s2)
        y = r + 0.97 * {chosen}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for net, old in zip((one, two), slow):
            for p, q in zip(net.parameters(), old.parameters()):
                q.lerp_(p, 0.1)
"""
_BOTH = "(one(s) - y).pow(2).mean() + (two(s) - y).pow(2).mean()"
_EACH = "(torch.where(r > 0, one(s), two(s)) - y).pow(2).mean()"  # a network of each action

FAULTY = (
    (filled(_TWINS, chosen="torch.max(a, b)", loss=_BOTH), 13),
    (filled(_TWINS, chosen="(torch.maximum(a, b) - 0.1 * s2[:, :1])", loss=_BOTH), 13),
)
SOUND = (
    filled(_TWINS, chosen="torch.min(a, b)", loss=_BOTH),
    filled(_TWINS, chosen="(0.75 * torch.min(a, b) + 0.25 * torch.max(a, b))", loss=_BOTH),
    filled(_TWINS, chosen="torch.max(a, s2[:, :1])", loss=_BOTH),
    filled(_TWINS, chosen="torch.max(a, b)", loss=_EACH),
)
