"""Cases of SW203."""

_NET = """
import torch
from torch import nn
torch.manual_seed(0)
class Pool(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(6, 1)
        self.out = nn.Linear(6, 3)
    def forward(self, x):
        w = self.score(x).softmax(dim=DIM)
        return self.out((w * x).sum(dim=1))
net = Pool()
x, y = torch.randn(9, 7, 6), torch.randint(0, 3, (9,))
nn.functional.cross_entropy(net(x), y).backward()
"""

FAULTY = ((_NET.replace("DIM", "-1"), 11), (_NET.replace("DIM", "2"), 11))

SOUND = (
    _NET.replace("DIM", "1"),
    "import torch\nfor n in (1, 4):\n    torch.randn(3, n, requires_grad=True).softmax(dim=1).sum().backward()\n",
)
