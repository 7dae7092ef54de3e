"""Cases of SW392."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net, rule = nn.Linear(4, 3), nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
for step in range(3):
    opt.zero_grad()
    loss = rule(net(x), y)
    loss.backward()
    opt.step()
print(loss.item(){more})
"""

FAULTY = ((_SCRIPT.replace("{more}", ""), 5),)

SOUND = (
    _SCRIPT.replace("{more}", ", 'accuracy', (net(x).argmax(-1) == y).float().mean().item()"),
    _SCRIPT.replace("{more}", ", (net(x).argmax(-1) == y).float().mean().item()"),
)
