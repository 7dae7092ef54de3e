"""Cases of SW140."""

FAULTY = (
    (
        """
import torch
table = torch.zeros(10, 300)
vector = torch.randn(100)
table[3] = vector
""",
        5,
    ),
    (
        """
import torch
from torch import nn
layer = nn.Linear(6, 4)
saved = torch.randn(6, 4)
with torch.no_grad():
    layer.weight.copy_(saved)
""",
        7,
    ),
)

SOUND = (
    """
import torch
x = torch.zeros(4, 6)
x[0] = torch.ones(6)
x[:, 1:3] = torch.ones(4, 1)
x[x > 0] = 2.0
x[..., -1] = torch.ones(4)
x[1:2] = torch.ones(1, 1, 6)[0]
""",
)
