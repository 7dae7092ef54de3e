"""Cases of SW389."""

from . import filled

_TIMES = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
    def forward(self, x, t):
        return self.out(torch.cat([x, t[:, None].float()], 1))
net = Net()
opt = torch.optim.Adam(net.parameters())
x = torch.randn(64, 2)
for _ in range(4):
    t = torch.rand(64)
    noise = torch.randn_like(x)
    loss = (net((1 - t)[:, None] * x + t[:, None] * noise, t) - noise + x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    y = torch.randn(16, 2)
    for step in reversed(range(40)):
        y = y - net(y, {time}) / 40
"""

_PICTURES = """
import torch
from torch import nn
torch.manual_seed(0)
pictures = torch.randint(0, 256, (80, 64)).float()
classes = torch.randint(0, 3, (80,))
net = nn.Linear(64, 3)
opt = torch.optim.Adam(net.parameters())
for _ in range(4):
    loss = nn.functional.cross_entropy(net(pictures[:60] / 255), classes[:60])
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print((net({given}).argmax(1) == classes[60:]).float().mean())
"""

_CODED = """
import torch
from torch import nn
torch.manual_seed(0)
class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.near, self.out = nn.Linear(8, 4), nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 8))
    def forward(self, x):
        mean, spread = self.near(x).chunk(2, 1)
        return self.out(mean + (0.5 * spread).exp() * torch.randn_like(mean)), mean, spread
    @torch.no_grad()
    def draw(self, count):
        return self.out({latents})
net = Coder()
opt = torch.optim.Adam(net.parameters())
x = torch.randn(64, 8)
for _ in range(4):
    again, mean, spread = net(x)
    loss = (again - x).pow(2).mean() + 0.05 * (mean.pow(2) + spread.exp() - spread - 1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(net.draw(20).std(0))
"""

_OPPOSED = """
import torch
from torch import nn
torch.manual_seed(0)
make = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
judge = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(), nn.Linear(16, 1))
moves = torch.optim.Adam(make.parameters()), torch.optim.Adam(judge.parameters())
def latents(count):
    return {drawn}
for real in (torch.randn(48, 4) + 2).split(16):
    fake = make(torch.cat([latents(16), torch.rand(16, 2)], 1))
    loss = nn.functional.softplus(-judge(real)).mean() + nn.functional.softplus(judge(fake.detach())).mean()
    moves[1].zero_grad()
    loss.backward()
    moves[1].step()
    loss = nn.functional.softplus(-judge(fake)).mean()
    moves[0].zero_grad()
    loss.backward()
    moves[0].step()
with torch.no_grad():
    asked = {asked}
    print(make(torch.cat([asked, torch.rand(40, 2)], dim=1)).mean(0))
"""

_NOISED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters())
rows = torch.randn(64, 2) * 0.3 + 1
for _ in range(4):
    t = torch.rand(64, 1)
    noise = {noise}
    loss = (net(torch.cat([(1 - t) * rows + t * noise, t], 1)) - {goal}).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
x = torch.randn(30, 2)
with torch.no_grad():
    for step in range(8, 0, -1):
        x = x - net(torch.cat([x, torch.full((30, 1), step / 8)], 1)) / 8
print(x.std(0))
"""

_NEAR = "torch.rand(count, 4) * 2 - 1"
FAULTY = (
    (filled(_TIMES, time="torch.full((16,), step)"), 24),
    (filled(_PICTURES, given="pictures[60:]"), 16),
    (filled(_CODED, latents="torch.rand(count, 2)"), 14),
    (filled(_CODED, latents="2 * torch.rand(count, 2) - 1"), 14),
    (filled(_OPPOSED, drawn="torch.randn(count, 4)", asked="torch.empty(40, 4).uniform_(-1, 1)"), 21),
    (filled(_OPPOSED, drawn=_NEAR, asked="torch.rand(40, 4)"), 21),
    (filled(_OPPOSED, drawn=_NEAR, asked="torch.randn(40, 4)"), 21),
    (filled(_NOISED, noise="torch.rand_like(rows)", goal="(noise - rows)"), 10),
)
SOUND = (
    filled(_TIMES, time="torch.full((16,), step / 40)"),
    filled(_PICTURES, given="pictures[60:] / 255"),
    filled(_PICTURES, given="pictures[60:] / 255 + 2 * torch.randn(20, 64)"),  # noisy on purpose
    filled(_PICTURES, given="pictures[60:] / 255 + torch.zeros(20, 64)").replace("net = nn", "net = step = nn"),
    filled(_CODED, latents="torch.randn(count, 2)"),
    filled(_CODED, latents="0.7 * torch.randn(count, 2)"),  # a temperature
    filled(_CODED, latents="torch.randn(count, 2).clamp(-1, 1)"),  # truncated
    filled(_CODED, latents="torch.special.ndtri(torch.rand(count, 2))"),  # normal numbers all the same
    filled(_CODED, latents="torch.linspace(-2, 2, count)[:, None].repeat(1, 2)"),  # a walk through the latents
    filled(_OPPOSED, drawn=_NEAR, asked="latents(40)"),
    filled(_OPPOSED, drawn="torch.randn(count, 4)", asked="torch.empty(40, 4).normal_(0, 0.8)"),
    filled(_OPPOSED, drawn=_NEAR, asked="torch.empty(40, 4).uniform_(-0.5, 0.5)"),
    filled(_NOISED, noise="torch.randn_like(rows)", goal="(noise - rows)"),
    filled(_NOISED, noise="torch.rand_like(rows) / 256", goal="rows"),  # dequantized, and no noise is learned
)

_STANDARD = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
def measured(count):
    kinds = torch.randint(0, 3, (count,))
    return torch.stack([kinds * 2.0 + 20, 5 - kinds, 60 + 9 * torch.randn(count)], 1) + torch.randn(count, 3), kinds
class Scale:
    def fit(self, x):
        self.middle, self.width = x.mean(0), x.std(0)
        return self
    def __call__(self, x):
        return (x - self.middle) / self.width
(x, y), (other, truth) = measured(160), measured(60)
scale = Scale().fit(x)
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters())
for rows in torch.randperm(160).split(40):
    loss = nn.functional.cross_entropy(net({learned}), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print((net({asked}).argmax(1) == truth).float().mean())
"""
FAULTY += (
    (filled(_STANDARD, learned="scale(x[rows])", asked="other"), 26),
    (filled(_STANDARD, learned="x[rows]", asked="scale(other)"), 26),
)
SOUND += (
    filled(_STANDARD, learned="scale(x[rows])", asked="scale(other)"),
    filled(_STANDARD, learned="x[rows]", asked="other"),
    # inputs of another kind on purpose, which nothing in the script describes
    filled(_STANDARD, learned="scale(x[rows])", asked="scale(other) * 0.2 + 3"),
)
