"""Cases of SW216."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net, old = nn.Linear(5, 3), nn.Linear(5, 3)
s, a, r, s2 = torch.randn(9, 5), torch.randint(0, 3, (9, 1)), torch.randn(9), torch.randn(9, 5)
value = net(s).gather(1, a).squeeze(1)
target = r + 0.9 * {best}
loss = nn.functional.mse_loss(value, target)
loss.backward()
"""

_SQUARED = _SCRIPT.replace("nn.functional.mse_loss(value, target)", "(target - value).pow(2).mean()")

FAULTY = (
    (_SCRIPT.replace("{best}", "net(s2).max(1).values"), 8),
    (_SQUARED.replace("{best}", "net(s2).max(1).values"), 8),
)

SOUND = (
    _SCRIPT.replace("{best}", "net(s2).max(1).values.detach()"),
    _SCRIPT.replace("{best}", "old(s2).max(1).values"),
    _SQUARED.replace("{best}", "net(s2).max(1).values.detach()"),
)
