"""Cases of SW116."""

FAULTY = (
    (
        """
import torch
from torch import nn
WORDS = 50
embed = nn.Embedding(WORDS, 8)
ids = torch.arange(1, WORDS + 1).view(5, 10)
embed(ids)
""",
        7,
    ),
    (
        """
import torch
from torch import nn
class Model(nn.Module):
    def __init__(self, longest=16):
        super().__init__()
        self.positions = nn.Embedding(longest, 4)
    def forward(self, x):
        return x + self.positions(torch.arange(x.size(1)))
Model()(torch.randn(2, 20, 4))
""",
        9,
    ),
    (
        """
import torch
scores = torch.randn(6, 3)
actions = torch.tensor([0, 1, 2, 3, 0, 1]).unsqueeze(1)
scores.gather(1, actions)
""",
        5,
    ),
    (
        """
import torch
states = torch.randn(2, 5, 4)
last = states[:, 5]
""",
        4,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(2, 5, 4)
x[:, -5], x[1], x.gather(1, torch.tensor([[[4]]])), torch.nn.Embedding(3, 2)(torch.tensor([0, 2]))
try:
    x[7]
except IndexError:
    pass
""",
)
