"""Cases of SW326."""

from . import filled

_SCRIPT = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
policy = nn.Linear(3, 1)
target = {target}
{load}
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    with torch.no_grad():
        goal = 0.9 * target(x) + x.sum(1, keepdim=True)
    loss = (policy(x) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LOAD = "target.load_state_dict(policy.state_dict())"


_LATE = "    if step == 500:\n        second.load_state_dict(policy.state_dict())\n"


def _kept(target: str) -> str:
    """The script with its networks in a dictionary."""
    script = filled(_SCRIPT, target=target, load=_LOAD) + f"    {_LOAD}\n"
    script = script.replace("target", "nets['late']").replace("policy", "nets['fast']")
    return script.replace("nets['fast'] = nn.Linear(3, 1)", "nets = {'fast': nn.Linear(3, 1)}")


FAULTY = (
    (filled(_SCRIPT, target="policy", load=_LOAD) + f"    {_LOAD}\n", 7),
    (filled(_SCRIPT, target="policy", load=""), 7),
    (filled(_SCRIPT, target="copy.copy(policy)", load=_LOAD), 7),
    (_kept("policy"), 7),
    # the name tells nothing; the line that is to copy is never reached
    (filled(_SCRIPT, target="policy", load="").replace("target", "second") + _LATE, 7),
)

SOUND = (
    filled(_SCRIPT, target="copy.deepcopy(policy)", load="") + f"    {_LOAD}\n",
    filled(_SCRIPT, target="nn.Linear(3, 1)", load=_LOAD) + f"    {_LOAD}\n",
    """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
net = model
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < 0.01:
        best_model = model
        break
best_model = model
print(best_model(torch.ones(1, 3)))
""",
    _kept("copy.deepcopy(policy)"),
    # the other way of training has a network of its own to ask
    """
import torch
from torch import nn
torch.manual_seed(0)
model, halved = nn.Linear(3, 1).double(), False
if halved:
    target_model = nn.Linear(3, 1)
else:
    target_model = model
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3).double()
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    target_model.load_state_dict(model.state_dict())
    print(target_model(torch.ones(1, 3).to(target_model.weight.dtype)).item())
""",
)
