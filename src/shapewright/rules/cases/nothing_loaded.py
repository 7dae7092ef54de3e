"""Cases of SW336."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
old, new = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1)), nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
state = {state}
new.load_state_dict(state, strict=False)
opt = torch.optim.SGD(new.parameters(), lr=0.01)
x = torch.randn(9, 3)
loss = new(x).pow(2).mean()
loss.backward()
opt.step()
"""

_ANEW = """
import torch
from torch import nn
torch.manual_seed(0)
def draw(layer):
    if isinstance(layer, nn.Linear):
        nn.init.xavier_uniform_(layer.weight)
old, new = (nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1)) for _ in range(2))
new.load_state_dict(old.state_dict())
{between}
{drawn}
opt = torch.optim.SGD(new.parameters(), lr=0.01)
loss = new(torch.randn(9, 3)).pow(2).mean()
loss.backward()
opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{state}", "{f'module.{name}': value for name, value in old.state_dict().items()}"), 7),
    (filled(_ANEW, between="", drawn="new.apply(draw)"), 11),
)

SOUND = (
    _SCRIPT.replace("{state}", "old.state_dict()"),
    _SCRIPT.replace("{state}", "{name: value for name, value in old.state_dict().items() if name.startswith('0')}"),
    filled(_ANEW, between="", drawn="draw(new[1])"),  # a new head
    filled(_ANEW, between="print(new(torch.ones(1, 3)))", drawn="new.apply(draw)"),  # compared with a random start
)
