"""Cases of SW229."""

HOUSES = """
import torch
from torch import nn
torch.manual_seed(0)
area, rooms = torch.rand(60, 1) * 3000 + 200, torch.rand(60, 1) * 6
x = torch.cat([area, rooms], 1)
y = x @ torch.tensor([[0.001], [0.5]])
{between}
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=1e-7)
for step in range(3):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((HOUSES.format(between=""), 12),)

SOUND = (
    HOUSES.format(between="x = (x - x.mean(0)) / x.std(0)"),
    HOUSES.format(between="").replace("nn.Sequential(", "nn.Sequential(nn.BatchNorm1d(2), "),
    HOUSES.format(between="x = (x - x.min(0).values) * 0.25").replace("* 3000 + 200", "* 255"),
)
