"""Cases of SW233."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 7)
tau = (torch.arange(7) + 0.5) / 7
theta, goal = net(torch.randn(5, 4)), torch.randn(5, 7)
td = {td}
loss = (({tau} - (td.detach() < 0).float()).abs() * nn.functional.huber_loss(td, torch.zeros_like(td),
    reduction="none")).mean()
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{td}", "goal.unsqueeze(2) - theta.unsqueeze(1)").replace("{tau}", "tau.view(1, -1, 1)"), 9),
    (_SCRIPT.replace("{td}", "goal[:, None, :] - theta[:, :, None]").replace("{tau}", "tau"), 9),
)

SOUND = (
    _SCRIPT.replace("{td}", "goal.unsqueeze(1) - theta.unsqueeze(2)").replace("{tau}", "tau.view(1, -1, 1)"),
    _SCRIPT.replace("{td}", "goal.unsqueeze(2) - theta.unsqueeze(1)").replace("{tau}", "tau"),
    _SCRIPT.replace("{td}", "goal - theta").replace("{tau}", "tau"),
)
