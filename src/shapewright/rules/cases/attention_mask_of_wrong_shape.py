"""Cases of SW122."""

FAULTY = (
    (
        """
import torch
from torch import nn
layer = nn.TransformerEncoderLayer(16, 2)
tokens = torch.randint(0, 9, (7, 3))
x = nn.Embedding(9, 16)(tokens)
layer(x, src_key_padding_mask=tokens == 0)
""",
        7,
    ),
    (
        """
import torch
from torch import nn
attention = nn.MultiheadAttention(16, 4, batch_first=True)
x = torch.randn(2, 9, 16)
mask = torch.triu(torch.ones(10, 10), 1).bool()
attention(x, x, x, attn_mask=mask)
""",
        7,
    ),
    (
        """
import torch
import torch.nn.functional as F
q = torch.randn(3, 2, 5, 8)
pad = torch.zeros(3, 5)
F.scaled_dot_product_attention(q, q, q, attn_mask=pad)
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn
layer = nn.TransformerEncoderLayer(16, 2)
tokens = torch.randint(0, 9, (7, 3))
layer(nn.Embedding(9, 16)(tokens), src_mask=torch.zeros(7, 7), src_key_padding_mask=(tokens == 0).t())
q = torch.randn(3, 2, 5, 8)
nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=torch.zeros(3, 1, 1, 5))
""",
)
