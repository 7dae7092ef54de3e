"""Cases of SW131."""

FAULTY = (
    (
        """
import numpy as np
import torch
from torch import nn
rows = np.random.default_rng(0).normal(size=(8, 4))
x = torch.from_numpy(rows)
nn.Linear(4, 2)(x)
""",
        7,
    ),
    (
        """
import torch
from torch import nn
ids = torch.zeros(3, 5)
nn.Embedding(9, 4)(ids)
""",
        5,
    ),
    (
        """
import torch
import torch.nn.functional as F
labels = torch.tensor([0, 1, 1])
F.binary_cross_entropy_with_logits(torch.randn(3), labels)
""",
        5,
    ),
    (
        """
import torch
scores = torch.randn(3, 6)
seen = torch.zeros(3, 6)
seen[:, 4:] = 1
scores.data.masked_fill_(seen.byte(), -float("inf"))
print(scores.softmax(-1))
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn
nn.Linear(4, 2)(torch.zeros(3, 4, dtype=torch.float64).float())
nn.Embedding(9, 4)(torch.zeros(3, 5).long())
torch.zeros(3) + torch.zeros(3, dtype=torch.long)
torch.randn(3, 6).masked_fill(torch.zeros(3, 6).byte() > 0, 0.0)
""",
)
