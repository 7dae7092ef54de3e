"""Cases of SW113."""

FAULTY = (
    (
        """
import torch
from torch import nn
x = torch.randn(2, 3, 8, 8).flatten(1)
y = nn.MaxPool2d(2)(x)
""",
        5,
    ),
    (
        """
import torch
import torch.nn.functional as F
heat = torch.randn(3, 8, 8)
F.interpolate(heat, scale_factor=2, mode="bilinear")
""",
        5,
    ),
)

SOUND = (
    """
import torch
import torch.nn.functional as F
F.interpolate(torch.randn(1, 3, 8, 8), scale_factor=2, mode="bilinear")
torch.nn.AdaptiveAvgPool2d(1)(torch.randn(3, 8, 8))
F.avg_pool1d(torch.randn(2, 3, 8), 2)
""",
)
