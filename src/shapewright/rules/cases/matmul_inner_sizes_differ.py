"""Cases of SW103."""

FAULTY = (
    (
        """
import torch
q, k = torch.randn(3, 7, 16), torch.randn(3, 9, 16)
scores = q @ k
""",
        4,
    ),
    (
        """
import torch
from torch import nn
adjacency = torch.ones(12, 12)
features = torch.randn(4, 12, 5)
torch.bmm(adjacency, features)
""",
        6,
    ),
    (
        """
import torch
w = torch.randn(20, 6, requires_grad=True)
for i in range(3):
    x = torch.randn(4, 18)
    y = x.mm(w)
""",
        6,
    ),
)

SOUND = (
    """
import torch
(torch.randn(3, 2, 3) @ torch.randn(3, 2)).sum()
torch.randn(3) @ torch.randn(3)
torch.bmm(torch.ones(4, 12, 12), torch.randn(4, 12, 5))
""",
)
