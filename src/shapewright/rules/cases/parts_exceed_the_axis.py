"""Cases of SW145."""

FAULTY = (
    (
        """
import torch
from torch import nn
HEAD = 32
qkv = nn.Linear(16, 90)(torch.randn(2, 5, 16))
q, k, v = qkv.split([HEAD, HEAD, HEAD], dim=-1)
""",
        6,
    ),
    (
        """
import torch
best = torch.randn(4, 3).topk(5, dim=1)
""",
        3,
    ),
)

SOUND = (
    """
import torch
torch.randn(2, 96).split([32, 64], dim=-1), torch.randn(2, 96).split(50, dim=-1), torch.randn(4, 5).topk(5)
torch.nn.functional.pad(torch.zeros(3), (1, 2))
""",
)
