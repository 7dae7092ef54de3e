"""Cases of SW347."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.middle, self.last = nn.Linear(6, 5), nn.Linear(5, 5), nn.Linear(5, 1)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        h = self.first(x)
        {line}
        return self.last(self.middle(h).tanh())

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(8, 6)
    {above}
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_CLIPPED = """
import torch
from torch import nn
torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 1))
opt = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
for step in range(4):
    real, made = torch.randn(8, 6), torch.rand(8, 6)
    loss = critic(made).mean() - critic(real).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in critic.parameters():
        p.data.{name}(-0.1, 0.1)
"""

_META = """
import torch
from torch import nn
from torch.func import functional_call
torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    total = 0
    for task in range(2):
        x, y = torch.randn(2, 8, 2), torch.randn(2, 8, 1)
        slow = dict(net.named_parameters())
        inner = (functional_call(net, slow, (x[0],)) - y[0]).pow(2).mean()
        grads = torch.autograd.grad(inner, list(slow.values()), create_graph=True)
        fast = {k: p - 0.1 * g for (k, p), g in zip(slow.items(), grads)}
        total = total + (functional_call(net, {used}, (x[1],)) - y[1]).pow(2).mean(){penalty}
    opt.zero_grad()
    total.backward()
    opt.step()
"""

_PLAIN = """
import torch
torch.manual_seed(0)
slow = [torch.randn(2, 8) * 0.3, torch.zeros(8), torch.randn(8, 1) * 0.3]
slow = [part.requires_grad_() for part in slow]
def net(x, w):
    return torch.tanh(x @ w[0] + w[1]) @ w[2]
opt = torch.optim.Adam(slow, lr=1e-3)
for step in range(4):
    total = 0
    for task in range(2):
        x, y = torch.randn(2, 8, 2), torch.randn(2, 8, 1)
        inner = (net(x[0], slow) - y[0]).pow(2).mean()
        grads = torch.autograd.grad(inner, slow, create_graph=True)
        fast = [p - 0.1 * g for p, g in zip(slow, grads)]
        total = total + (net(x[1], {used}) - y[1]).pow(2).mean()
    opt.zero_grad()
    total.backward()
    opt.step()
"""

_QUERY, _SUPPORT = "(x[1],)) - y[1])", "(x[0],)) - y[0])"

_JOINED = """
import torch
from torch import nn
torch.manual_seed(0)

class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.Linear(6, 3)

    def forward(self, x, near):
        h = self.own(x)
        out = {made}
        return {given}

net = Spread()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y, near = torch.randn(8, 6), torch.randint(0, 3, (8,)), (torch.rand(8, 8) < 0.5).float()
near = near / (near.sum(1, keepdim=True) + 1)
for step in range(4):
    loss = nn.functional.cross_entropy(net(x, near), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_BY_HAND = """
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
held = list(net.parameters())
for x, y in zip(torch.randn(5, 16, 4), torch.randn(5, 16, 1)):
    grads = torch.autograd.grad((net(x) - y).pow(2).mean(), held)
    with torch.no_grad():
        for p, g in zip(held, grads):
            {moved}
"""

_TASKS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def drawn(count):
    x = torch.randn(count, 3)
    return x, x.sum(1, keepdim=True)
for step in range(4):
    x, y = drawn(6)
    more, goal = drawn(6)
    slope = torch.autograd.grad((net(x) - y).pow(2).mean(), net.weight)[0]
    x, y = {used}
    loss = (x @ (net.weight - 0.1 * slope).T + net.bias - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_AVERAGED = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(6, 1)
slow = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def follow():
    for old, new in zip(slow.state_dict().values(), net.state_dict().values()):
        {step}


for turn in range(4):
    x = torch.randn(8, 6)
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    follow()
    print((slow(x) - x.sum(1, keepdim=True)).pow(2).mean().item())
"""

FAULTY = (
    (filled(_SCRIPT, line="for _ in range(2): self.middle(h).clamp(min=0)", above="x.mul_(2)"), 14),
    (filled(_SCRIPT, line="h.clamp(max=0.5)", above="x.mul_(2)"), 14),
    (filled(_SCRIPT, line="h = self.middle(h).tanh()", above="x.masked_fill(x > 2, 2.0)"), 21),
    (filled(_CLIPPED, name="clamp"), 14),
    (filled(_META, used="slow", penalty=""), 15),
    (filled(_PLAIN, used="slow").replace("range(2)", "range(16)"), 15),  # more updates than are recorded
    (filled(_META, used="fast", penalty="").replace(_QUERY, _SUPPORT), 16),
    (filled(_META, used="fast", penalty="").replace(_QUERY, _SUPPORT).replace(", create_graph=True", ""), 16),
    (filled(_JOINED, made="near @ h", given="h"), 13),
    (filled(_JOINED, made="h.masked_fill(near[:, :3] == 0, 0.0)", given="h"), 13),
    (filled(_BY_HAND, moved="p.sub(0.1 * g)"), 12),
    (filled(_TASKS, used="x + 0, y"), 12),
    (filled(_AVERAGED, step="old.mul(0.9).add_(new, alpha=0.1)"), 13),
    (filled(_AVERAGED, step="old = 0.9 * old + 0.1 * new"), 13),
    (filled(_AVERAGED, step="old = torch.lerp(old, new, 0.1)"), 13),
)
SOUND = (
    filled(_BY_HAND, moved="p.sub_(0.1 * g)"),
    filled(_CLIPPED, name="clamp_"),
    filled(_SCRIPT, line="h.view(h.size(0), 5)", above="x.view(8, -1)"),  # it has that shape already
    filled(_SCRIPT, line="for _ in range(2): h = self.middle(h).clamp(min=0)", above="x.mul_(2)"),
    filled(_SCRIPT, line="self.act(h)", above="x.mul_(2)"),
    filled(_SCRIPT, line="nn.functional.relu(h, inplace=True)", above="torch.clamp(x, max=2, out=x)"),
    filled(_SCRIPT, line="kept = h.mean(); self.seen = [kept]", above="print(x.mean()); x.tolist()"),
    filled(_SCRIPT, line="h = h.tanh()", above="torch.save(net, 'net.pt')"),
    filled(_SCRIPT, line="h = h.tanh()", above="plt.plot(x.mean(1).data)").replace(
        "import torch\n", "import torch\nimport matplotlib.pyplot as plt\n", 1
    ),
    """
import torch
from torch import nn
torch.manual_seed(0)
kept = {}
body = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 5))
body[0].register_forward_hook(lambda module, given, made: kept.update(first=made))
head = nn.Linear(5, 1)
opt = torch.optim.SGD([*body[0].parameters(), *head.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 6)
    body(x)  # for what its first layer gives
    loss = (head(kept["first"]) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    filled(_META, used="fast", penalty=""),
    filled(_PLAIN, used="fast").replace("range(2)", "range(16)"),
    filled(_META, used="slow", penalty="; print(fast['bias'].item())"),
    filled(_META, used="fast", penalty="").replace(_QUERY, "(x,)) - y)"),
    filled(_META, used="fast", penalty="").replace(", create_graph=True", ""),
    # sharpness-aware: the same samples, at the worst point near by
    filled(_META, used="fast", penalty="")
    .replace(_QUERY, _SUPPORT)
    .replace(", create_graph=True", "")
    .replace("p - 0.1 * g", "p + 0.1 * g / (g.norm() + 1e-8)"),
    filled(_JOINED, made="near @ h", given="out"),
    filled(_JOINED, made="near @ h", given="h + near @ h"),  # what was tried first is left, and does the same
    filled(_JOINED, made="h.softmax(-1)", given="near @ h"),
    filled(_TASKS, used="more, goal"),
    filled(_AVERAGED, step="old.mul_(0.9).add_(new, alpha=0.1)"),
    filled(_AVERAGED, step="old.detach().mul_(0.9).add_(new, alpha=0.1)"),
    filled(_AVERAGED, step="old.copy_(old.mul(0.9).add_(new, alpha=0.1))"),
    filled(_AVERAGED, step="old.copy_(0.9 * old + 0.1 * new)"),
    filled(_AVERAGED, step="old = old.mul_(0.9).add_(new, alpha=0.1)"),
    filled(_AVERAGED, step="new = 0.1 * new\n        old.mul_(0.9).add_(new)"),
)
