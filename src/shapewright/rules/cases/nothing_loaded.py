"""Cases of SW336."""

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

FAULTY = ((_SCRIPT.replace("{state}", "{f'module.{name}': value for name, value in old.state_dict().items()}"), 7),)

SOUND = (
    _SCRIPT.replace("{state}", "old.state_dict()"),
    _SCRIPT.replace("{state}", "{name: value for name, value in old.state_dict().items() if name.startswith('0')}"),
)
