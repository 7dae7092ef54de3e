"""Cases of SW340."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 8), nn.ReLU())
        self.head = nn.Linear(8, 1)
{frozen}
    def forward(self, x):
        with torch.no_grad():
            h = self.body(x)
        return self.head(h)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = net(torch.randn(8, 5)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{frozen}", ""), 13),)

SOUND = (
    _SCRIPT.replace("{frozen}", "        self.body.requires_grad_(False)"),
    _SCRIPT.replace("{frozen}", "").replace("net.parameters()", "net.head.parameters()"),
    _SCRIPT.replace(
        "{frozen}", "        self.body.load_state_dict(nn.Sequential(nn.Linear(5, 8), nn.ReLU()).state_dict())"
    ),
)
