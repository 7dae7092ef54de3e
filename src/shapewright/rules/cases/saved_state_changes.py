"""Cases of SW325."""

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


def _script(first: str = "None", kept: str = "None", load: str = "kept") -> str:
    return _SCRIPT.replace("{first}", first).replace("{kept}", kept).replace("{load}", load)


FAULTY = (
    (_script(kept="model.state_dict()"), 18),
    (_script(kept="model.state_dict().copy()"), 18),
    (_script(first="model.state_dict()", load="first"), 8),
)

SOUND = (
    _script(kept="copy.deepcopy(model.state_dict())"),
    _script(kept="{name: value.clone() for name, value in model.state_dict().items()}"),
    _script(kept="{name: value.cpu().clone() for name, value in model.state_dict().items()}"),
    _script(load="model.state_dict()"),
    _script(first="copy.deepcopy(model).state_dict()", load="first"),
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
