"""Cases of SW133."""

FAULTY = (
    (
        """
import torch
def attend(x):
    batch, time = x.shape
    return batch * time
attend(torch.randn(2, 5, 8))
""",
        4,
    ),
    (
        """
import torch
from torch import nn
gru = nn.GRU(3, 4)
out, (h, c) = gru(torch.randn(5, 1, 3))
""",
        5,
    ),
    (
        """
import torch
frames = torch.randn(4, 1, 9)
b, c, h, w = frames.size()
""",
        4,
    ),
)

SOUND = (
    """
import torch
b, t, d = torch.randn(2, 5, 8).shape
first, second = torch.randn(2, 3)
""",
)
