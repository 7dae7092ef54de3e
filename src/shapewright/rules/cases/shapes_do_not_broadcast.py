"""Cases of SW104."""

FAULTY = (
    (
        """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride=stride, padding=1)
        self.shortcut = nn.Sequential()
        if stride != 1:
            self.shortcut = nn.Conv2d(cin, cout, 1, stride=stride)

    def forward(self, x):
        return torch.relu(self.conv(x) + self.shortcut(x))

net = nn.Sequential(Block(4, 4), Block(4, 8))
net(torch.randn(2, 4, 9, 9))
""",
        14,
    ),
    (
        """
import torch
x = torch.randn(16, 24, 32)
table = torch.zeros(100, 1, 32)
y = x + table[:x.size(1)]
""",
        5,
    ),
    (
        """
import torch
scores = torch.randn(4, 2, 7, 7)
keep = torch.ones(4, 7, dtype=torch.bool)
scores.masked_fill(~keep.unsqueeze(1), -1e9)
""",
        5,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(16, 24, 32)
y = x + torch.zeros(100, 32)[:24] + torch.zeros(1, 24, 1)
x += torch.ones(32)
torch.where(x > 0, x, torch.zeros(()))
""",
)
