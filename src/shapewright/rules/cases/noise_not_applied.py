"""Cases of SW297."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.randn(9, 5)
for step in range(3):
    noise = torch.randn_like(x)
    mixed = 0.8 * x + 0.6 * noise
    loss = nn.functional.mse_loss(net(mixed), {target})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_CLEAN = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)

def step(x):
    {made}
    loss = nn.functional.mse_loss(net({given}), x)
    opt.zero_grad()
    loss.backward()
    opt.step()

for _ in range(3):
    step(torch.randn(9, 5))
"""


_LATENT = """
import torch
from torch import nn
torch.manual_seed(0)

class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.spread, self.back = nn.Linear(6, 2), nn.Linear(6, 2), nn.Linear(2, 6)

    def drawn(self, mean, log_var):
        noise = torch.randn_like(mean)
        return {drawn}

    def forward(self, x):
        mean, log_var = self.mean(x), self.spread(x)
        code = self.drawn(mean, log_var)
        return self.back({code}), mean, log_var{also}

net = Coder()
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    x = torch.randn(8, 6)
    made, mean, log_var, *_ = net(x)
    loss = (made - x).pow(2).sum() - 0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_SAMPLE = "mean + noise * torch.exp(0.5 * log_var)"
_STEPS = """
import torch
from torch import nn
bar = torch.cumprod(1 - torch.linspace(1e-4, 0.02, 50), 0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.at, self.out = nn.Embedding(50, 6), nn.Linear(6, 6)
    def forward(self, x, t):
        return self.out(x + self.at(t))
net = Net()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    x, t = torch.rand(16, 6), torch.randint(0, 50, (16,))
    eps = torch.randn_like(x)
    share = bar[t][:, None]
    guess = net(share.sqrt() * x + (1 - share).sqrt() * eps, {given})
    loss = nn.functional.mse_loss(guess, eps)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_KEPT = filled(_STEPS, given="t").replace(
    "guess = net(share.sqrt() * x + (1 - share).sqrt() * eps, t)",
    "mixed = share.sqrt() * x + (1 - share).sqrt() * eps\n    guess, spread = net({given}, t), mixed.std()",
)
FAULTY = (
    (_SCRIPT.replace("{target}", "torch.randn_like(x)"), 11),
    (filled(_CLEAN, made="mixed = x + 0.3 * torch.randn_like(x)\n    mixed = mixed.clamp(-2, 2)", given="x"), 9),
    (filled(_CLEAN, made="hidden = x * (torch.rand(x.shape) > 0.5).float()", given="x"), 9),
    (_LATENT.format(drawn="mean + torch.exp(0.5 * log_var)", code="code", also=""), 12),
    (_LATENT.format(drawn=_SAMPLE, code="mean", also=""), 12),
    (filled(_STEPS, given="torch.randint(0, 50, (len(x),))"), 17),
    (_KEPT.replace("{given}", "x"), 18),
    (_SCRIPT.replace("{target}", "torch.randn_like(x).to(x.device).float()"), 11),
)
SOUND = (
    filled(_CLEAN, made="mixed = x + 0.3 * torch.randn_like(x); mixed = mixed.clamp(-2, 2)", given="mixed"),
    filled(_CLEAN, made="mixed = x + 0.3 * torch.randn_like(x); shown = [mixed]", given="x"),
    filled(
        _CLEAN, made="dither = x + torch.rand_like(x); steps = dither.round(); print(steps.unique().numel())", given="x"
    ),
    _SCRIPT.replace("{target}", "noise"),
    _SCRIPT.replace("noise = torch.randn_like(x)", "noise = torch.randn_like(x).float()").replace("{target}", "noise"),
    _SCRIPT.replace("net(mixed), {target}", "net(mixed + other), other").replace(
        "    loss", "    other = torch.randn_like(x).float()\n    loss", 1
    ),
    _SCRIPT.replace("{target}", "x"),
    _SCRIPT.replace("net(mixed), {target}", "net(x), torch.randn(9, 5)"),
    _LATENT.format(drawn=_SAMPLE, code="code", also=""),
    _LATENT.format(drawn=_SAMPLE.replace("noise", "torch.autograd.Variable(noise)"), code="code", also=""),
    _LATENT.format(drawn=_SAMPLE, code="mean", also=", code"),  # handed to whoever asks for it
    _LATENT.format(drawn=f"{_SAMPLE} if self.training else mean", code="code", also=""),
    filled(_STEPS, given="t"),
    filled(_STEPS, given="torch.where(torch.rand(16) < 0.1, 0, t)"),  # a step left out now and then
    _KEPT.replace("{given}", "mixed"),
)

# a copy of the inputs that an attack moved, which is not learned from
_MOVED = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

def harder(x, y):
    moved = x.detach() + torch.empty_like(x).uniform_(-0.1, 0.1)
    for _ in range(2):
        moved.requires_grad_()
        slope = torch.autograd.grad(F.cross_entropy(net(moved), y), [moved])[0]
        moved = moved.detach() + 0.05 * slope.sign()
    return moved.clamp(-3, 3)

def train(rows, kinds):
    for x, y in zip(rows.split(10), kinds.split(10)):
        opt.zero_grad()
        {made}
        loss = {loss}
        loss.backward()
        opt.step()

train(torch.randn(40, 6), torch.randint(0, 3, (40,)))
"""
_CLEAN = "F.cross_entropy(net(x), y)"
FAULTY += (
    (filled(_MOVED, made="other = harder(x, y)", loss=_CLEAN), 20),
    (filled(_MOVED, made="x1 = harder(x, y)", loss="F.cross_entropy(net(x) + 0 * net(x.flip(0)), y)"), 20),
)
SOUND += (
    filled(_MOVED, made="other = harder(x, y)", loss="F.cross_entropy(net(other), y)"),
    filled(_MOVED, made="other = harder(x, y)", loss=_CLEAN + " + (net(x) - net(other)).pow(2).mean()"),
    filled(_MOVED, made="other = harder(x, y); print((other - x).abs().max().item())", loss=_CLEAN),
    filled(_MOVED, made="x = harder(x, y)", loss=_CLEAN),
    filled(_MOVED, made="shown = (x - x.mean()).clamp(0, 1)", loss=_CLEAN),  # for a picture that is not drawn now
)
