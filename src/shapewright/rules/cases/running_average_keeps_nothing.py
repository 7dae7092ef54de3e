"""Cases of SW362."""

from . import filled

_NETWORKS = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3))
slow = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y = torch.randn(48, 6), torch.randint(0, 3, (48,))
for epoch in range(5):
    {epoch}
    for rows in torch.randperm(48).split(12):
        with torch.no_grad():
            soft = slow(x[rows]).softmax(-1)
        out = net(x[rows])
        loss = nn.functional.cross_entropy(out, y[rows]) + (out.softmax(-1) - soft).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for a, p in zip(slow.parameters(), net.parameters()):
                {update}
"""
_DICTIONARY = """
import torch
from torch import nn
torch.manual_seed(0)
class Ema:
    def __init__(self, net, decay):
        self.decay, self.kept = decay, {k: p.detach().clone() for k, p in net.named_parameters()}
    def update(self, net):
        for k, p in net.named_parameters():
            {mix}
net = nn.Linear(6, 1)
ema = Ema(net, 0.99)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
x = torch.randn(60, 6)
for i in range(0, 60, 10):
    loss = (net(x[i:i + 10]) - x[i:i + 10].sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
net.load_state_dict(ema.kept)
with torch.no_grad():
    print((net(x) - x.sum(1, keepdim=True)).pow(2).mean())
"""
_EVEN = "a.mul_(0.99).add_(p, alpha=0.01)"
_SLOW = "self.kept[k] = self.decay * self.kept[k] + (1 - self.decay) * p.detach()"
_WARMED = "k = epoch + 1; a.lerp_(p, 1 - min(0.99, (1 + k) / (10 + k)))"


_BEST = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(96, 3, 8, 8)
y = (x.mean((1, 2, 3)) > 0).long()
body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.Flatten())
net = nn.Sequential(body, nn.Linear(128, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for stage in range(2):
    best, kept = 0.0, copy.deepcopy(net.state_dict())
    for epoch in range(2):
        net.train()
        for rows in torch.randperm(64).split(16):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            hits = (net(x[64:]).argmax(1) == y[64:]).float().mean().item()
        if hits >= best:
            best, kept = hits, copy.deepcopy(net.state_dict())
    net.load_state_dict(kept)
"""


def _networks(update=_EVEN, epoch="pass"):
    return _NETWORKS.format(update=update, epoch=epoch)


_SWAPPED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
mean = [p.detach().clone() for p in net.parameters()]
for epoch in range(3):
    for _ in range(4):
        loss = net(torch.randn(8, 6)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for a, p in zip(mean, net.parameters()):
                a.lerp_(p, 0.1)
                {each}
    with torch.no_grad():
        kept = [p.clone() for p in net.parameters()]
        for a, p in zip(mean, net.parameters()):
            p.{put}
        print(net(torch.ones(1, 6)))
        for a, p in zip(kept, net.parameters()):
            {back}
"""

_WITHIN = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 3)
        self.slow = copy.deepcopy(self.net)
    def forward(self, x):
        return self.net(x), self.slow(x){cut}
pair = Pair()
opt = torch.optim.SGD(pair.parameters(), lr=0.1)
for step in range(4):
    out, soft = pair(torch.randn(8, 6))
    loss = (out - soft - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, p in zip(pair.slow.parameters(), pair.net.parameters()):
            a.lerp_(p, 0.01){also}
"""
_REPORTED = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(6, 3)
slow = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def follow():
    for a, p in zip(slow.parameters(), net.parameters()):
        a.data.lerp_(p.data, 0.01)
for step in range(400):
    loss = (net(torch.randn(8, 6)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        {branch}
    {always}
print(slow(torch.ones(1, 6)))
"""

_KEPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(6, 3)
slow = {k: p.detach().clone() for k, p in net.named_parameters()}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def follow():
    for k, p in net.named_parameters():
        slow[k] = 0.99 * slow[k] + 0.01 * p.detach()
for step in range(400):
    loss = (net(torch.randn(8, 6)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        {branch}
    {always}
print(slow["bias"])
"""

FAULTY = (
    (_networks(_WARMED.replace("1 - min(0.99, (1 + k) / (10 + k))", "min(0.99, (1 + 2 * k) / (4 + k))")), 22),
    (_networks("a.mul_(0.01).add_(p, alpha=0.99)"), 22),
    (_networks("a.copy_(0.95 * p + 0.05 * a)"), 22),
    (
        _DICTIONARY.replace(
            "{mix}", _SLOW.replace("self.kept[k] +", "p.detach() +").replace(") * p", ") * self.kept[k] # p")
        ),
        10,
    ),
    (_networks(epoch="slow = copy.deepcopy(net).requires_grad_(False)"), 11),
    (_networks(epoch="slow.load_state_dict(net.state_dict())"), 11),
    (filled(_SWAPPED, each="pass", put="copy_(a)", back="pass"), 21),
    (filled(_SWAPPED, each="pass", put="data = a", back="pass"), 21),
    (filled(_WITHIN, cut="", also=""), 14),
    (filled(_REPORTED, branch="follow(); print(step, loss.item())", always="pass"), 18),
    (filled(_KEPT, branch="follow(); print(step, loss.item())", always="pass"), 17),
)

SOUND = (
    _networks(_WARMED.replace("1 - min(0.99, (1 + k) / (10 + k))", "0.01 + 0.002 * k")),  # still slow at the end
    _BEST,
    _networks(),
    _networks("a.copy_(p)"),
    _networks("a.lerp_(p, 0.5)"),
    _networks("a.lerp_(p, 1 / (2 + epoch))"),
    _networks(epoch="slow = copy.deepcopy(net).requires_grad_(False) if epoch == 0 else slow"),
    _networks(_WARMED),
    _DICTIONARY.replace("{mix}", _SLOW),
    filled(_SWAPPED, each="pass", put="copy_(a)", back="p.copy_(a)"),
    filled(_SWAPPED, each="pass", put="data = a", back="p.data = a"),
    filled(_SWAPPED, each="p.copy_(a)  # Lookahead", put="add_(0)", back="pass"),
    filled(_WITHIN, cut=".detach()", also=""),
    filled(_WITHIN, cut="", also="; p.lerp_(a, 0.01)"),  # each of two that both learn goes towards the other
    filled(_REPORTED, branch="print(step, loss.item())", always="follow()"),
    filled(_REPORTED, branch="follow()", always="print(step, loss.item())"),  # it is to follow slowly
    filled(_KEPT, branch="print(step, loss.item())", always="follow()"),
    """
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4)), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y, kept, least = torch.randn(8, 4), torch.randn(8, 1), copy.deepcopy(net.state_dict()), 1e9
for again in range(2):
    for step in range(4):
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss.item() < least:
            kept, least = copy.deepcopy(net.state_dict()), loss.item()
    net.load_state_dict(kept)
""",
)
