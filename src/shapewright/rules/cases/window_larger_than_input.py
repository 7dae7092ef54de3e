"""Cases of SW112."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.blocks = nn.Sequential(*[nn.Sequential(nn.Conv2d(1, 1, 3, padding=1),
            nn.MaxPool2d(2)) for _ in range(depth)])
    def forward(self, x):
        return self.blocks(x)
Net()(torch.randn(2, 1, 12, 12))
""",
        10,
    ),
    (
        """
import torch
from torch import nn
conv = nn.Conv1d(4, 6, kernel_size=5)
words = torch.randn(3, 4, 3)
conv(words)
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn
nn.MaxPool2d(2)(torch.randn(1, 3, 2, 3))
nn.Conv1d(4, 6, 5, padding=1)(torch.randn(3, 4, 3))
""",
)
