"""Cases of SW386."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
body, left, right = nn.Linear(6, 16), nn.Linear(16, 1), nn.Linear(16, 3)
s = nn.Parameter({start})
opt = torch.optim.Adam([*body.parameters(), *left.parameters(), *right.parameters(), {held}], lr=0.01)
x, far, kind = torch.randn(64, 6), torch.randn(64, 1), torch.randint(0, 3, (64,))
for _ in range(4):
    h = torch.relu(body(x))
    one, two = nn.functional.mse_loss(left(h), far), nn.functional.cross_entropy(right(h), kind)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_PARTS = {"start": "torch.zeros(2)", "held": "s"}

_MODULE = """
import torch
from torch import nn
torch.manual_seed(0)
class Weigher(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = nn.Parameter(torch.zeros(2))
    def forward(self, parts):
        return ({weight} * torch.stack(parts) + self.s).sum()
net, weigh, square = nn.Linear(6, 4), Weigher(), nn.MSELoss()
opt = torch.optim.SGD([*net.parameters(), *weigh.parameters()], lr=0.01)
x, y = torch.randn(64, 6), torch.randn(64, 4)
for _ in range(4):
    told = net(x)
    loss = weigh([square(told[:, :2], y[:, :2]), square(told[:, 2:], y[:, 2:])])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_SCRIPT, **_PARTS, loss="torch.exp(s[0]) * one + torch.exp(s[1]) * two + s.sum()"), 12),
    (filled(_SCRIPT, **_PARTS, loss="s[0] * one + s[1] * two"), 12),
    (filled(_SCRIPT, **(_PARTS | {"start": "torch.ones(2)"}), loss="one / s[0] ** 2 + two / s[1] ** 2"), 12),
    (filled(_MODULE, weight="self.s.exp()"), 16),
)
SOUND = (
    filled(_SCRIPT, **_PARTS, loss="torch.exp(-s[0]) * one + torch.exp(-s[1]) * two + s.sum()"),
    filled(
        _SCRIPT, **(_PARTS | {"start": "torch.ones(2)"}), loss="one / s[0] ** 2 + two / s[1] ** 2 + (s**2).log().sum()"
    ),
    filled(_SCRIPT, **_PARTS, loss="(s.softmax(0) * torch.stack([one, two])).sum()"),
    filled(_SCRIPT, **(_PARTS | {"held": "*nn.Linear(1, 1).parameters()"}), loss="s[0].exp() * one + s[1].exp() * two"),
    # weights of an adversary
    filled(_SCRIPT, **(_PARTS | {"held": "*nn.Linear(1, 1).parameters()"}), loss="s[0] * one + s[1] * two")
    .replace("x, far", "other = torch.optim.SGD([s], lr=0.1, maximize=True)\nx, far")
    .replace("    opt.step()", "    opt.step()\n    other.step()\n    other.zero_grad()"),
    filled(_MODULE, weight="(-self.s).exp()"),
)
