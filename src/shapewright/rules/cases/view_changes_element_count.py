"""Cases of SW106."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
BATCH = 8
net = nn.Linear(12, 3)
loader = DataLoader(TensorDataset(torch.randn(20, 3, 4)), batch_size=BATCH)
for (x,) in loader:
    net(x.view(BATCH, 12))
""",
        9,
    ),
    (
        """
import torch
from torch import nn
conv = nn.Conv2d(1, 6, 5)
x = conv(torch.randn(3, 1, 28, 28))
x = x.view(-1, 6 * 25 * 25)
""",
        6,
    ),
    (
        """
import torch
def split_heads(x, heads):
    b, t, d = x.shape
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)
split_heads(torch.randn(2, 5, 30), 4)
""",
        5,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(6, 4, 5)
x.view(6, -1), x.view(-1), x.reshape(2, 3, 20), x.unflatten(2, (5, 1)), x.view(torch.int32), x.view(0 or 6, 20)
torch.zeros(0, 4).view(0, 4)
""",
)
