"""Cases of SW297."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.randn(9, 5)
for step in range(3):
    noise = torch.randn_like(x)
    mixed = 0.8 * x + 0.6 * noise
    loss = nn.functional.mse_loss(net(mixed), {target})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{target}", "torch.randn_like(x)"), 11),)

SOUND = (
    _SCRIPT.replace("{target}", "noise"),
    _SCRIPT.replace("{target}", "x"),
    _SCRIPT.replace("net(mixed), {target}", "net(x), torch.randn(9, 5)"),
)
