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
