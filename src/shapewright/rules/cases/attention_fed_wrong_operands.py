"""Cases of SW123."""

FAULTY = (
    (
        """
import torch
from torch import nn
attention = nn.MultiheadAttention(32, 4)
x = torch.randn(5, 2, 24)
attention(x, x, x)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
attention = nn.MultiheadAttention(32, 4)
query, memory = torch.randn(6, 1, 32), torch.randn(6, 9, 32)
attention(query, memory, memory)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
model = nn.Transformer(16, 2, 1, 1)
model(torch.randn(3, 8, 16), torch.randn(3, 5, 16))
""",
        5,
    ),
)

SOUND = (
    """
import torch
from torch import nn
attention = nn.MultiheadAttention(32, 4, kdim=8, vdim=6, batch_first=True)
attention(torch.randn(2, 5, 32), torch.randn(2, 7, 8), torch.randn(2, 7, 6))
""",
)
