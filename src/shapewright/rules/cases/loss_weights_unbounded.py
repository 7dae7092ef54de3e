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

# scales: an affine flow, and a network that says how sure it is
_FLOW = """
import torch
from torch import nn
torch.manual_seed(0)
class Half(nn.Module):
    def __init__(self, turned):
        super().__init__()
        self.turned, self.net = turned, nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 4))
    def forward(self, x):
        a, b = x.flip(1).chunk(2, 1) if self.turned else x.chunk(2, 1)
        s, t = self.net(a).chunk(2, 1)
        {step}
        return torch.cat([a, b], 1), {volume}
layers = nn.ModuleList([Half(i % 2 > 0) for i in range(4)])
opt = torch.optim.Adam(layers.parameters(), 1e-3)
base = torch.distributions.Normal(torch.zeros(4), torch.ones(4))
for _ in range(3):
    z, volume = torch.randn(32, 4) * 0.4, 0
    for layer in layers:
        z, own = layer(z)
        volume = volume + own
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_UP = {"step": "s = s.tanh(); b = b * s.exp() + t", "volume": "s.sum(1)"}
_DOWN = {"step": "b = (b - t) * torch.exp(-s)", "volume": "-s.sum(1)"}
_HAND = "-0.5 * (z**2).sum(1)"
_SURE = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters(), 1e-3)
for _ in range(3):
    x, y = torch.randn(32, 6), torch.randn(32)
    mean, s = net(x).unbind(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# a scale of every dimension, which the loss reads beside the outputs
_ENDED = """
import torch
from torch import nn
torch.manual_seed(0)
class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix, self.s = nn.Linear(6, 6), nn.Parameter(torch.full((6,), 0.5))
    def forward(self, x):
        a, b = x.chunk(2, 1)
        y = torch.cat([a, b + self.mix.weight[:3, :3].mv(torch.ones(3))], 1)
        return {scaled}
flow = Flow()
opt = torch.optim.Adam(flow.parameters(), 1e-3)
for _ in range(3):
    z = flow(torch.randn(32, 6))
    volume = {volume}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_LOGISTIC = "(nn.functional.softplus(z) + nn.functional.softplus(-z)).sum(1)"
_TOWARDS = "z.shape[1] * (z - 1).pow(2).mean(1)"

FAULTY = (
    (
        filled(
            _ENDED, scaled="y @ torch.diag(self.s.exp())", volume="flow.s.sum()", loss=f"({_LOGISTIC} + volume).mean()"
        ),
        17,
    ),
    (filled(_ENDED, scaled="y * self.s", volume="flow.s.abs().log().sum()", loss=f"({_LOGISTIC} + volume).mean()"), 17),
    (filled(_SCRIPT, **_PARTS, loss="torch.exp(s[0]) * one + torch.exp(s[1]) * two + s.sum()"), 12),
    (filled(_SCRIPT, **_PARTS, loss="s[0] * one + s[1] * two"), 12),
    (filled(_SCRIPT, **(_PARTS | {"start": "torch.ones(2)"}), loss="one / s[0] ** 2 + two / s[1] ** 2"), 12),
    (filled(_MODULE, weight="self.s.exp()"), 16),
    (filled(_FLOW, **_UP, loss=f"-({_HAND} - volume).mean()"), 22),
    (filled(_FLOW, **_UP, loss="volume.mean() + 0.5 * z.pow(2).sum(1).mean()"), 22),
    (filled(_FLOW, **_DOWN, loss=f"({_HAND} - volume).mean().neg()"), 22),
    (filled(_SURE, loss="(torch.exp(-s) * (y - mean) ** 2 - s).mean()"), 10),
    (filled(_SURE, loss="(((y - mean) / s.exp()).pow(2) / 2 - s).mean()"), 10),
    (
        filled(
            _SURE.replace("unbind(1)", "unbind(1); s = nn.functional.softplus(s)"),
            loss="(((y - mean) / s) ** 2 - torch.log(s)).mean()",
        ),
        10,
    ),
)
SOUND = (
    filled(_ENDED, scaled="y @ torch.diag(self.s.exp())", volume="flow.s.sum()", loss=f"({_LOGISTIC} - volume).mean()"),
    filled(_ENDED, scaled="y / self.s.exp()", volume="flow.s.sum()", loss=f"({_LOGISTIC} + volume).mean()"),
    # a small penalty on the size of the outputs, whose loss has a minimum
    filled(_ENDED, scaled="y * self.s", volume="0.1 * flow.s.abs().sum()", loss=f"({_TOWARDS} + volume).mean()"),
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
    filled(_FLOW, **_UP, loss=f"-({_HAND} + volume).mean()"),
    filled(_FLOW, **_UP, loss="-(base.log_prob(z).sum(1) + volume).mean()"),
    filled(_FLOW, **_DOWN, loss=f"({_HAND} + volume).mean().neg()"),
    filled(_SURE, loss="(torch.exp(-s) * (y - mean) ** 2 + s).mean()"),
    filled(_SURE, loss="(((y - mean) / s.exp()).pow(2) / 2 + s).mean()"),
    filled(_SURE, loss="((y - mean) ** 2 - 0.01 * s.exp()).mean() + (s - 1).pow(2).mean()"),
    filled(
        _SURE, loss="((mean + s.exp() * torch.randn(32) - x.sum(1)) ** 2 - 0.1 * s).mean()"
    ),  # noise that is kept alive
    filled(_SURE, loss="-torch.distributions.Normal(mean, s.exp()).log_prob(y).mean() - 0.01 * s.mean()"),
)
