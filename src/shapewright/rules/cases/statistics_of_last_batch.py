"""Cases of SW388."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.{norm}, nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1{held})
x = torch.randn(64, 4)
for _ in range(3):
    net.train()
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print(net(x).mean())
"""

FAULTY = (
    (filled(_SCRIPT, norm="BatchNorm1d(8, momentum=0.99)", held=""), 5),
    (filled(_SCRIPT, norm="BatchNorm1d(8, 1e-3, 0.9)", held=""), 5),
)
SOUND = (
    filled(_SCRIPT, norm="BatchNorm1d(8)", held=", momentum=0.9"),
    filled(_SCRIPT, norm="BatchNorm1d(8, momentum=1.0)", held=""),
    filled(_SCRIPT, norm="BatchNorm1d(8, momentum=0.99, track_running_stats=False)", held=""),
)
