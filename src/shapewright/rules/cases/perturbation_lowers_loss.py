"""Scripts for the rule `perturbation-lowers-loss`."""

from __future__ import annotations

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
rows, kinds = torch.randn(60, 6), torch.randint(0, 3, (60,))
for at in range(3):
    x, y = rows[at * 20 : at * 20 + 20], kinds[at * 20 : at * 20 + 20]
    off = torch.zeros_like(x).uniform_(-0.1, 0.1).requires_grad_()
    loss = {attacked}
    loss.backward()
    {moved}
    loss = F.cross_entropy(net(x + off.detach()), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_OWN = "F.cross_entropy(net(x + off), y)"
_MOVED = "off.data = torch.clamp(off {sign} 0.1 * torch.sign(off.grad.detach()), -0.1, 0.1)"

_STEPS = """
import torch
from torch import nn
torch.manual_seed(0)
net, cost = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1)), nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
def harder(x, y):
    moved = x.clone().detach()
    for _ in range(3):
        moved.requires_grad_(True)
        net.zero_grad()
        cost(net(moved).squeeze(1), y).backward()
        moved = {step}
        moved = torch.min(torch.max(moved, x - 0.1), x + 0.1)
    return moved
for _ in range(3):
    x = torch.randn(20, 6)
    y = (x.sum(1) > 0).float()
    moved = harder(x, y)
    opt.zero_grad()
    cost(net(moved).squeeze(1), {told}).backward()
    opt.step()
"""

# weights that are moved by hand, by the signs of their gradients
_HAND = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))
x, y = torch.randn(40, 6), torch.randint(0, 3, (40,))
shift = torch.zeros(6, requires_grad=True)
for _ in range(4):
    net.zero_grad()
    shift.grad = None
    nn.functional.cross_entropy(net(x + shift), y).backward()
    for p in [*net.parameters(), shift]:
        p.data = p.data - 0.01 * p.grad.sign()
"""

FAULTY = (
    (filled(_SCRIPT, attacked=_OWN, moved=_MOVED.format(sign="-")), 14),
    (filled(_STEPS, step="moved.detach() - moved.grad.sign() * 0.03", told="y"), 13),
)

SOUND = (
    filled(_SCRIPT, attacked=_OWN, moved=_MOVED.format(sign="+")),
    filled(_SCRIPT, attacked="-" + _OWN, moved=_MOVED.format(sign="-")),
    # towards another class, for which the inputs become easier
    filled(_SCRIPT, attacked="F.cross_entropy(net(x + off), (y + 1) % 3)", moved=_MOVED.format(sign="-")),
    filled(_STEPS, step="(moved + 0.03 * moved.grad.sign()).detach()", told="y"),
    # towards what the network is not trained with
    filled(_STEPS, step="(moved - 0.03 * moved.grad.sign()).detach()", told="torch.zeros(20)"),
    _HAND,
)
