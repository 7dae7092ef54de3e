"""Cases of SW142."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        {made}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.out = Block(), nn.Linear(4, 2)

    def forward(self, x):
        return {given}

net = Net()
print(net(torch.randn(3, 4)).shape)
"""
_HELPER = """
import torch
from torch import nn

def scaled(rows):
    rows = (rows - rows.mean(0)) / rows.std(0)
    {end}

net = nn.Linear(5, 2)
data = scaled(torch.randn(40, 5))
for start in range(0, 40, 10):
    loss = net(data[start:start + 10]).pow(2).mean()
    loss.backward()
"""
FAULTY = (
    (filled(_SCRIPT, made="h = self.fc(x).relu()", given="self.out(self.body(x))"), 20),
    (filled(_SCRIPT, made="self.fc(x).relu()", given="self.out(x + self.body(x))"), 20),
    (filled(_HELPER, end="print(rows.shape)"), 12),
)
SOUND = (
    filled(_SCRIPT, made="return self.fc(x).relu()", given="self.out(x + self.body(x))"),
    filled(_SCRIPT, made="x.add_(1)", given="(self.body(x), self.out(x))[1]"),
    filled(_HELPER, end="return rows"),
)
