"""Cases of SW211."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(40, 5), torch.randint(0, 3, (40,))
order = torch.randperm(40)
x = x[order]
y = y[{order}]
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 40, 10):
    loss = nn.functional.cross_entropy(net({x}), y[i:i + 10])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{order}", "torch.randperm(40)").replace("{x}", "x[i:i + 10]"), 8),)

SOUND = (
    _SCRIPT.replace("{order}", "order").replace("{x}", "x[i:i + 10]"),
    _SCRIPT.replace("{order}", "order").replace("{x}", "x[i:i + 10] + 0.1 * x[torch.randperm(40)][i:i + 10]"),
)
