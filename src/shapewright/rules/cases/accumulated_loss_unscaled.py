"""Cases of SW396."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
accumulate = 4
for i in range(12):
    x = torch.randn(8, 5)
    loss = nn.functional.mse_loss(net(x).squeeze(1), x.sum(1))
    {backward}
    {step}
"""

_EVERY = "if (i + 1) % accumulate == 0:\n        opt.step()\n        opt.zero_grad()"

FAULTY = ((_SCRIPT.replace("{backward}", "loss.backward()").replace("{step}", _EVERY), 11),)

SOUND = (
    _SCRIPT.replace("{backward}", "(loss / accumulate).backward()").replace("{step}", _EVERY),
    _SCRIPT.replace("{backward}", "loss = loss / accumulate\n    loss.backward()").replace("{step}", _EVERY),
    _SCRIPT.replace("{backward}", "opt.zero_grad()\n    loss.backward()").replace(
        "{step}", "opt.step()\n    if i % accumulate == 0:\n        print(i, loss.item())"
    ),
)
