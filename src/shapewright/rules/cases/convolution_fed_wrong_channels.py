"""Cases of SW111."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.conv = nn.Conv2d(channels, 8, 3)
    def forward(self, x):
        return self.conv(x)
Net()(torch.randn(4, 1, 28, 28))
""",
        9,
    ),
    (
        """
import torch
from torch import nn
conv = nn.Conv1d(16, 32, 3)
sequence = torch.randn(8, 50, 16)
conv(sequence)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
digits = torch.randn(64, 28, 28)
nn.Conv2d(1, 8, 3)(digits)
""",
        5,
    ),
    (
        """
import torch
from torch import nn
flat = torch.randn(6, 100)
nn.ConvTranspose2d(100, 32, 4)(flat)
""",
        5,
    ),
)

SOUND = (
    """
import torch
from torch import nn
nn.Conv2d(4, 8, 3, groups=2)(torch.randn(2, 4, 9, 9))
nn.Conv1d(16, 32, 3)(torch.randn(16, 50))
nn.ConvTranspose2d(100, 32, 4)(torch.randn(6, 100, 1, 1))
""",
)
