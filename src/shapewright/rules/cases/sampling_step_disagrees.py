"""Scripts of SW364."""

DIFFUSION = """\
import torch
from torch import nn

torch.manual_seed(0)
T = 24
beta = torch.linspace(0.004, 0.2, T)
alpha = 1 - beta
bar = torch.cumprod(alpha, 0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(T, 16)
        self.inner = nn.Linear(2, 16)
        self.outer = nn.Sequential(nn.SiLU(), nn.Linear(16, 2))

    def forward(self, x, t):
        return self.outer(self.inner(x) + self.time(t))


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(4):
    x0 = torch.randn(128, 2) * 0.2 + 1
    t = torch.randint(0, T, (128,))
    eps = torch.randn_like(x0)
    share = bar[t][:, None]
    noisy = share.sqrt() * x0 + (1 - share).sqrt() * eps
    loss = nn.functional.mse_loss(net(noisy, t), eps)
    opt.zero_grad()
    loss.backward()
    opt.step()

with torch.no_grad():
    x = torch.randn(64, 2)
    for i in reversed(range(T)):
        noise = net(x, torch.full((64,), i))
        x = (x - beta[i] / (1 - bar[i]).sqrt() * noise) / alpha[i].sqrt()
        if i > 0:
            x = x + beta[i].sqrt() * torch.randn_like(x)
print(x.mean(0))
"""
FLOW = """\
import torch
from torch import nn

torch.manual_seed(0)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 3))

    def forward(self, x, t):
        return self.layers(torch.cat([x, t[:, None]], dim=1))


def objective(field, data):
    start = torch.randn_like(data)
    t = torch.rand(len(data))
    between = torch.lerp(start, data, t[:, None])
    return ((field(between, t) - (data - start)) ** 2).mean()


def draw(field, n, steps=20):
    x = torch.randn(n, 3)
    with torch.no_grad():
        for i in range(steps):
            x = x + field(x, torch.full((n,), i / steps)) / steps
    return x


field = Field()
opt = torch.optim.SGD(field.parameters(), lr=0.05)
for _ in range(4):
    loss = objective(field, torch.rand(128, 3))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(draw(field, 50).mean(0))
"""
LANGEVIN = """\
import torch
from torch import nn

torch.manual_seed(0)
levels = torch.tensor([1.6, 0.8, 0.4, 0.2, 0.1])


class Score(nn.Module):
    def __init__(self):
        super().__init__()
        self.level = nn.Embedding(5, 16)
        self.inner, self.outer = nn.Linear(2, 16), nn.Linear(16, 2)

    def forward(self, x, at):
        return self.outer(torch.tanh(self.inner(x) + self.level(at))) / levels[at][:, None]


score = Score()
opt = torch.optim.Adam(score.parameters())
for _ in range(4):
    x = torch.randn(96, 2) * 0.1 - 1
    at = torch.randint(5, (96,))
    width = levels[at][:, None]
    draw = torch.randn_like(x)
    target = -draw / width
    loss = ((score(x + width * draw, at) - target).square() * width**2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()

with torch.no_grad():
    x = torch.randn(40, 2) * levels[0]
    for k in range(5):
        size = 0.05 * levels[k] ** 2
        for _ in range(3):
            x = x + size * score(x, torch.full((40,), k)) + (2 * size).sqrt() * torch.randn_like(x)
print(x.std())
"""
# deterministic steps over a part of the times, forwards as well; what is asked twice for guidance; less noise
OTHER_WAYS = (
    DIFFUSION.split("with torch.no_grad():")[0]
    + """\
def jump(x, i, j):
    eps = net(x, torch.full((len(x),), i))
    clean = (x - (1 - bar[i]).sqrt() * eps) / bar[i].sqrt()
    return bar[j].sqrt() * clean + (1 - bar[j]).sqrt() * eps


with torch.no_grad():
    x = bar[15].sqrt() * torch.ones(64, 2) + (1 - bar[15]).sqrt() * torch.randn(64, 2)
    for i, j in zip(range(15, 2, -3), range(12, -1, -3)):
        x = jump(x, i, j)
    for i in range(3, 20, 2):
        x = jump(x, i, i + 2)
    for i in range(20, 0, -1):
        shape = torch.full((64,), i)
        eps = 1.5 * net(x, shape) - 0.5 * net(x, shape)
        spread = (beta[i] * (1 - bar[i - 1]) / (1 - bar[i])).sqrt()
        x = (x - beta[i] / (1 - bar[i]).sqrt() * eps) / alpha[i].sqrt() + 0.8 * spread * torch.randn_like(x)
print(x.mean(0))
"""
)
BACKWARDS = (
    FLOW.replace("torch.lerp(start, data, t", "torch.lerp(data, start, t")
    .replace("(data - start)) ** 2", "(start - data)) ** 2")
    .replace(
        "x = x + field(x, torch.full((n,), i / steps)) / steps",
        "x = x - field(x, torch.full((n,), 1 - i / steps)) / steps",
    )
)
HEUN = FLOW.replace(
    "            x = x + field(x, torch.full((n,), i / steps)) / steps\n",
    "            first = field(x, torch.full((n,), i / steps))\n"
    "            second = field(x + first / steps, torch.full((n,), (i + 1) / steps))\n"
    "            x = x + (first + second) / 2 / steps\n",
)

FAULTY = (
    (DIFFUSION.replace("(1 - bar[i]).sqrt() * noise", "(1 - bar[i]) * noise"), 39),
    (DIFFUSION.replace("x + beta[i].sqrt()", "x + beta[i]"), 41),
    (DIFFUSION.replace("share = bar[t]", "share = alpha[t]"), 29),
    (DIFFUSION.replace("/ alpha[i].sqrt()", "/ bar[i].sqrt()"), 39),
    (FLOW.replace("data - start)) **", "start - data)) **"), 27),
    (LANGEVIN.replace("x + size * score", "x - size * score"), 36),
)
SOUND = (DIFFUSION, OTHER_WAYS, BACKWARDS, HEUN, LANGEVIN)

# a class that trains a part of itself and draws samples with it
_CLASS = """\
import torch
from torch import nn

torch.manual_seed(0)


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, x, t):
        return self.layers(torch.cat([x, t[:, None]], dim=1))


class Diffusion(nn.Module):
    def __init__(self, model, steps=32):
        super().__init__()
        beta = torch.linspace(0.004, 0.2, steps + 1)
        bar = (1 - beta).log().cumsum(0).exp()
        self.model, self.steps = model, steps
        self.register_buffer("data", bar.sqrt())
        self.register_buffer("noise", (1 - bar).sqrt())
        self.register_buffer("back", 1 / (1 - beta).sqrt())
        self.register_buffer("less", {less} / (1 - bar).sqrt())
        self.register_buffer("fresh", beta.sqrt())

    def forward(self, x):
        t = torch.randint(1, self.steps + 1, (len(x),))
        eps = torch.randn_like(x)
        mixed = self.data[t, None] * x + self.noise[t, None] * eps
        return nn.functional.mse_loss(self.model(mixed, t / self.steps), eps)

    def sample(self, count):
        x = torch.randn(count, 2)
        for i in range(self.steps, 0, -1):
            z = torch.randn(count, 2) if i > 1 else 0
            eps = self.model(x, torch.full((count,), i / self.steps))
            x = self.back[i] * (x - eps * self.less[i]) + self.fresh[i] * z
        return x


net = Diffusion(Denoiser())
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(4):
    loss = net(torch.randn(128, 2) * 0.2 + 1)
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print(net.sample(64).mean(0))
"""
FAULTY += ((_CLASS.replace("{less}", "(1 - bar)"), 39), (_CLASS.replace("{less}", "beta.sqrt()"), 39))
SOUND += (_CLASS.replace("{less}", "beta"),)
FAULTY += ((FLOW.replace("i / steps)) /", "float(i))) /"), 27),)
