"""Cases of SW325."""

from . import filled

_SCRIPT = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
first = {first}
best, kept = float("inf"), None
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best = loss.item()
        kept = {kept}
model.load_state_dict({load})
"""


FAULTY = (
    (filled(_SCRIPT, first="None", kept="model.state_dict()", load="kept"), 18),
    (filled(_SCRIPT, first="None", kept="model.state_dict().copy()", load="kept"), 18),
    (filled(_SCRIPT, first="model.state_dict()", kept="None", load="first"), 8),
)

SOUND = (
    filled(_SCRIPT, first="None", kept="copy.deepcopy(model.state_dict())", load="kept"),
    filled(
        _SCRIPT, first="None", kept="{name: value.clone() for name, value in model.state_dict().items()}", load="kept"
    ),
    filled(
        _SCRIPT,
        first="None",
        kept="{name: value.cpu().clone() for name, value in model.state_dict().items()}",
        load="kept",
    ),
    filled(_SCRIPT, first="None", kept="None", load="model.state_dict()"),
    filled(_SCRIPT, first="copy.deepcopy(model).state_dict()", kept="None", load="first"),
    """
import torch
from torch import nn
torch.manual_seed(0)
online, target = nn.Linear(3, 1), nn.Linear(3, 1)
target.load_state_dict(online.state_dict())
opt = torch.optim.SGD(online.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = (online(x) - x.sum(1, keepdim=True) - target(x).detach()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2:
        weights = online.state_dict()
        target.load_state_dict(weights)
""",
)

# weights that are put aside, changed for one pass, and given back
_ATTACKED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
aside = {}

@torch.no_grad()
def climb():
    size = torch.stack([p.grad.norm() for p in net.parameters()]).norm()
    for name, p in net.named_parameters():
        aside[name] = {kept}
        {change}

@torch.no_grad()
def back():
    for name, p in net.named_parameters():
        {back}

for x in torch.randn(4, 16, 6):
    y = x.sum(1, keepdim=True)
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    climb()
    opt.zero_grad()
    (net(x) - y).pow(2).mean().backward()
    back()
    opt.step()
"""
_CLIMB, _BACK = "p.add_(0.05 * p.grad / size)", "p.data = aside[name]"
_SERVED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
mean = [p.detach().clone() for p in net.parameters()]
for epoch in range(2):
    for x in torch.randn(3, 16, 6):
        loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for a, p in zip(mean, net.parameters()):
            a.lerp_(p.detach(), 0.1)
    with torch.no_grad():
        held = [{kept} for p in net.parameters()]
        for a, p in zip(mean, net.parameters()):
            p.copy_(a)
        print(net(torch.ones(1, 6)).item())
        for a, p in zip(held, net.parameters()):
            p.copy_(a)
"""
FAULTY += (
    (filled(_ATTACKED, kept="p.data", change=_CLIMB, back=_BACK), 13),
    (filled(_ATTACKED, kept="p.detach()", change=_CLIMB, back="p.copy_(aside[name])"), 13),
    (filled(_SERVED, kept="p.data"), 17),
)
SOUND += (
    filled(_ATTACKED, kept="p.data.clone()", change=_CLIMB, back=_BACK),
    filled(_ATTACKED, kept="p.data", change="p.data = p.data + 0.05 * p.grad / size", back=_BACK),  # memory of its own
    filled(_ATTACKED, kept="0.05 * p.grad / size", change="p.add_(aside[name])", back="p.sub_(aside[name])"),
    filled(_SERVED, kept="p.clone()"),
)
