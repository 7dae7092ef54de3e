"""Cases of SW147."""

from . import filled

_SCRIPT = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {layers}

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x

net = Net()
optimizer = torch.optim.Adam({given}, lr=1e-3)
for _ in range(4):
    optimizer.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
"""
_LISTED = "self.layers = [nn.Linear(4, 4) for _ in range(3)]"
_REGISTERED = "self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])"

FAULTY = (
    (filled(_SCRIPT, layers=_LISTED, given="net.parameters()"), 16),
    (filled(_SCRIPT, layers="self.layers = (nn.Linear(4, 4), nn.Linear(4, 2))", given="list(net.parameters())"), 16),
    (filled(_SCRIPT, layers=_REGISTERED, given="(p for p in net.parameters() if not p.requires_grad)"), 16),
)
SOUND = (
    filled(_SCRIPT, layers=_REGISTERED, given="net.parameters()"),
    filled(_SCRIPT, layers=_LISTED, given="[p for layer in net.layers for p in layer.parameters()]"),
)
