"""Cases of SW114."""

FAULTY = (
    (
        """
import torch
from torch import nn
class Regions(nn.Module):
    def __init__(self, features=64):
        super().__init__()
        self.norm = nn.BatchNorm1d(features)
    def forward(self, x):
        return self.norm(x)
Regions()(torch.randn(8, 36, 64))
""",
        9,
    ),
    (
        """
import torch
from torch import nn
conv, norm = nn.Conv1d(4, 8, 3), nn.LayerNorm(8)
norm(conv(torch.randn(2, 4, 12)))
""",
        5,
    ),
    (
        """
import torch
from torch import nn
nn.BatchNorm2d(8)(torch.randn(4, 8))
""",
        4,
    ),
    (
        """
import torch
from torch import nn
net = nn.Sequential(nn.Conv2d(3, 12, 3), nn.GroupNorm(4, 16))
net(torch.randn(2, 3, 8, 8))
""",
        5,
    ),
)

SOUND = (
    """
import torch
from torch import nn
nn.BatchNorm1d(64)(torch.randn(8, 64, 36)), nn.BatchNorm1d(64)(torch.randn(8, 64))
nn.LayerNorm((3, 4))(torch.randn(2, 3, 4)), nn.GroupNorm(4, 16)(torch.randn(2, 16, 3))
nn.InstanceNorm2d(3)(torch.randn(2, 3, 4, 4))
""",
)
