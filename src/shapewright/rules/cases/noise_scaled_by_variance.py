"""Cases of SW294."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
enc, dec = nn.Linear(5, 4), nn.Linear(2, 5)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = torch.randn(9, 5)
for step in range(3):
    mu, log_var = enc(x).chunk(2, dim=1)
    std = {std}
    z = mu + torch.randn_like(std) * std
    kl = {kl}
    loss = (dec(z) - x).pow(2).sum(1).mean() + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_KL = "-0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp(), dim=1).mean()"

_MOVED = ("torch.randn_like(std) * std", "torch.randn(mu.size(0), mu.size(1)).to(x.device) * std")

_DRAWN = "z = torch.distributions.Normal(mu, std).rsample()"
_ADDED = "z = mu + torch.randn_like(std) * std"
_DOUBLED = "(0.5 * (mu.pow(2) + torch.exp(2 * log_var) - 1) - log_var).sum(1).mean()"

_DIFFUSED = """
import torch
from torch import nn
bar = torch.cumprod(1.0 - torch.linspace(1e-4, 0.02, 50), dim=0)
data, noise = [a], [b]
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 6))
opt = torch.optim.Adam(net.parameters())
for _ in range(4):
    x = torch.rand(16, 6)
    t = torch.randint(0, 50, (len(x),))
    eps = torch.randn_like(x)
    mixed = data[t].unsqueeze(-1) * x + noise[t].view(-1, 1) * eps
    loss = (net(mixed) - eps).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_INTERVAL = """
import torch
from torch import nn
torch.manual_seed(0)
mean, log_var = nn.Linear(3, 1), nn.Linear(3, 1)
class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.spread = nn.Linear(3, 1), nn.Linear(3, 1)
    def forward(self, x):
        return self.mean(x).squeeze(1), self.spread(x).squeeze(1)
net = Both()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(24, 3), torch.randn(24)
for rows in torch.randperm(24).split(8):
    middle, v = net(x[rows])
    loss = -torch.distributions.Normal(middle, {scale}).log_prob(y[rows]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    middle, v = net(x)
    half = 1.64 * {half}
    print(((y > middle - half) & (y < middle + half)).float().mean().item())
"""

_SCHEDULED = """
import numpy as np
import torch
from torch import nn
class Process:
    def __init__(self, steps):
        self.spread = torch.linspace(0.0001, 0.02, steps)
        kept = 1 - self.spread
        left = torch.cumprod(kept, dim=0)
        self.data, self.noise = {data}, {noise}
    def disturb(self, x, eps, at):
        return self.data[at][:, None] * x + self.noise[at][:, None] * eps
rows = torch.from_numpy(np.random.default_rng(0).normal(size=(90, 2))).float()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.into, self.out = nn.Linear(3, 16), nn.Linear(16, 2)
    def forward(self, x, at):
        return self.out(self.into(torch.cat([x, at[:, None] / 200], 1)).relu())
net = Net()
opt = torch.optim.Adam(net.parameters())
process = Process(200)
for begin in range(0, 90, 30):
    x, at = rows[begin : begin + 30], torch.randint(0, 200, (30,))
    eps = torch.randn_like(x)
    mixed = process.disturb({given}, at)
    loss = (net(mixed, at) - eps).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LISTED = "torch.tensor([{} for p in bar.flatten().tolist()]).view_as(bar)"
FAULTY = (
    (filled(_SCRIPT, std="torch.exp(log_var)", kl=_KL), 10),
    (filled(_SCRIPT, std="log_var.exp()", kl=_KL), 10),
    (filled(_SCRIPT, std="torch.exp(log_var)", kl=_KL).replace(*_MOVED), 10),
    (filled(_SCRIPT, std="torch.exp(log_var)", kl=_KL).replace(_ADDED, _DRAWN), 10),
    (filled(_SCRIPT, std="log_var.exp()", kl=_KL).replace(_ADDED, "z = torch.randn_like(std).mul_(std).add_(mu)"), 10),
    (filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_DOUBLED), 10),
    (filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL).replace("randn_like(std)", "rand_like(std)"), 11),
    (_DIFFUSED.replace("[a]", "bar.sqrt()").replace("[b]", "1 - bar"), 12),
    (_DIFFUSED.replace("[a]", "bar").replace("[b]", "(1 - bar) ** 0.5"), 12),
    (filled(_INTERVAL, scale="v.exp()", half="(v / 2).exp()"), 17),
    (filled(_INTERVAL, scale="(0.5 * v).exp()", half="v.exp()"), 17),
    (_DIFFUSED.replace("[a]", _LISTED.format("p ** 0.5")).replace("[b]", _LISTED.format("1 - p")), 12),
    (filled(_SCHEDULED, data="left.sqrt()", noise="(1 - kept).sqrt()", given="x, eps"), 12),
    (filled(_SCHEDULED, data="kept.sqrt()", noise="(1 - left).sqrt()", given="x, eps"), 12),
    (filled(_SCHEDULED, data="left.sqrt()", noise="(1 - left).sqrt()", given="eps, x"), 12),
    (filled(_SCRIPT, std="log_var", kl=_KL), 11),
)

SOUND = (
    filled(_SCHEDULED, data="left.sqrt()", noise="(1 - left).sqrt()", given="x, eps"),
    filled(_SCHEDULED, data="kept.sqrt()", noise="(1 - kept).sqrt()", given="x, eps"),  # one step of the chain
    filled(_SCHEDULED, data="left.flip(0).sqrt()", noise="(1 - left.flip(0)).sqrt()", given="x, eps"),  # counted down
    filled(_SCHEDULED, data="1 - left", noise="left", given="eps, x"),
    filled(_INTERVAL, scale="v.exp()", half="v.exp()"),
    filled(_INTERVAL, scale="(0.5 * v).exp()", half="(v / 2).exp()"),
    filled(_SCRIPT, std="torch.exp(0.5 * log_var)", kl=_KL).replace(*_MOVED),
    filled(_SCRIPT, std="torch.exp(0.5 * log_var)", kl=_KL),
    filled(_SCRIPT, std="log_var.mul(0.5).exp()", kl=_KL),
    filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL),
    filled(_SCRIPT, std="log_var.exp().sqrt()", kl=_KL),
    filled(
        _SCRIPT, std="torch.exp(log_var)", kl="0.5 * (mu.pow(2) + std.pow(2) - 1).sum(1).mean() - log_var.sum(1).mean()"
    ),
    filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL).replace(_ADDED, _DRAWN),
    filled(_SCRIPT, std="torch.exp(log_var)", kl=_DOUBLED).replace(_ADDED, _DRAWN),
    filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL).replace(_ADDED, _ADDED + " * (torch.rand_like(std) < 0.9)"),
    _DIFFUSED.replace("[a]", "bar ** 0.5").replace("[b]", "torch.sqrt(1 - bar)"),
    _DIFFUSED.replace("[a]", "bar").replace("[b]", "1 - bar"),  # a straight path from data to noise
    _DIFFUSED.replace("[a]", "bar").replace("[b]", "(1 - bar ** 2).sqrt()"),
    _DIFFUSED.replace("[a]", "bar ** 0").replace("[b]", "(1 - bar)"),  # noise alone grows
    _DIFFUSED.replace("[a]", _LISTED.format("p ** 0.5")).replace("[b]", _LISTED.format("(1 - p) ** 0.5")),
    filled(
        _SCRIPT, std="log_var.abs()", kl="0.5 * (mu.pow(2) + std.pow(2) - 1).sum(1).mean() - std.log().sum(1).mean()"
    ),
)

# a class that trains a part of itself to tell the noise
_WITHIN = """
import torch
from torch import nn
class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.time, self.outer = nn.Linear(2, 32), nn.Embedding(100, 32), nn.Linear(32, 2)
    def forward(self, x, at):
        return self.outer(torch.tanh(self.inner(x) + self.time(at)))
class Diffusion(nn.Module):
    def __init__(self, steps=100):
        super().__init__()
        kept = 1 - torch.linspace(0.001, 0.1, steps)
        left = kept.cumprod(0)
        self.steps, self.model = steps, Denoiser()
        self.register_buffer("kept", kept)
        self.register_buffer("left", left)
        self.register_buffer("data", {data})
        self.register_buffer("noise", {noise})
    def forward(self, x, eps):
        at = torch.randint(0, self.steps, (len(x),))
        mixed = self.data[at][:, None] * x + self.noise[at][:, None] * eps
        return self.model(mixed, at)
net = Diffusion()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for rows in torch.randn(4, 16, 2):
    eps = torch.randn_like(rows)
    loss = (net(rows, eps) - eps).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FAULTY += (
    (filled(_WITHIN, data="left.sqrt()", noise="1 - left.sqrt()"), 22),
    (filled(_WITHIN, data="1 - (1 - left).sqrt()", noise="(1 - left).sqrt()"), 22),
    (filled(_WITHIN, data="left.sqrt()", noise="1 - left"), 22),
    (filled(_SCHEDULED, data="left.sqrt()", noise="(1 - left) ** 2", given="x, eps"), 12),
)
SOUND += (
    filled(_WITHIN, data="left.sqrt()", noise="(1 - left).sqrt()"),
    filled(_WITHIN, data="left.sqrt()", noise="0.5 * (1 - left).sqrt()"),  # noise of another scale
    filled(_WITHIN, data="1 - torch.linspace(0, 1, steps)", noise="torch.linspace(0, 1, steps)"),  # a straight path
    filled(_WITHIN, data="torch.ones(steps)", noise="(1 - left).sqrt()"),  # the data keep their scale
)
