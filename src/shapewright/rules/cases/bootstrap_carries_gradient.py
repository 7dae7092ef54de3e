"""Cases of SW216."""

from . import filled

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

_ADDED = """
import torch
from torch import nn
torch.manual_seed(0)
critic = nn.Linear(5, 1)
opt = torch.optim.Adam(critic.parameters())
for s, rewards in zip(torch.randn(4, 9, 5), torch.randn(4, 9)):
    worth = critic(s).squeeze(1)
    better = rewards - worth.detach()
    aim = better + {worth}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{best}", "net(s2).max(1).values"), 8),
    (_SQUARED.replace("{best}", "net(s2).max(1).values"), 8),
    (filled(_ADDED, worth="worth", loss="(aim - worth).pow(2).mean()"), 10),
    (filled(_ADDED, worth="worth", loss="nn.functional.smooth_l1_loss(worth, aim)"), 10),
)

SOUND = (
    filled(_ADDED, worth="worth.detach()", loss="(aim - worth).pow(2).mean()"),
    # the value cancels, and what is left learns
    filled(_ADDED, worth="worth", loss="(aim + critic(-s).squeeze(1) - worth).pow(2).mean()"),
    _SCRIPT.replace("{best}", "net(s2).max(1).values.detach()"),
    _SCRIPT.replace("{best}", "old(s2).max(1).values"),
    _SQUARED.replace("{best}", "net(s2).max(1).values.detach()"),
)
