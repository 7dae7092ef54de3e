"""Cases of SW102."""

FAULTY = (
    (
        """
import torch
from torch import nn

class Digits(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 5)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(6 * 14 * 14, hidden)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv(x)))
        return self.fc(x.flatten(1))

Digits()(torch.randn(4, 1, 28, 28))
""",
        14,
    ),
    (
        """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 10))
images = torch.randn(7, 28, 28)
print(net(images).shape)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
WIDTH = 12
enc, dec = nn.Linear(9, WIDTH), nn.Linear(WIDTH * 2, 3)
dec(enc(torch.randn(5, 9)))
""",
        6,
    ),
    (
        """
import torch
from torch import nn
embed, out = nn.Embedding(30, 16), nn.Linear(24, 30)
out.weight = embed.weight
out(torch.randn(5, 24))
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 10))
net(torch.randn(7, 28, 28))
net(torch.randn(1, 784))
""",
)
