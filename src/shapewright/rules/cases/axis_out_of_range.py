"""Cases of SW108."""

FAULTY = (
    (
        """
import torch
from torch import nn
head = nn.Linear(8, 1)
for n in (4, 1):
    score = head(torch.randn(n, 8)).squeeze()
    labels = torch.ones(score.size(0))
""",
        7,
    ),
    (
        """
import torch
from torch import nn
logits = nn.Linear(6, 3)(torch.randn(6))
probs = torch.softmax(logits, dim=1)
""",
        5,
    ),
    (
        """
import torch
out = torch.randn(5, 7, 3).mean(1)
last = out[:, -1, :]
""",
        4,
    ),
    (
        """
import torch
from torch import nn
pooled = torch.randn(4, 8).max(dim=1).values
nn.Flatten()(pooled)
torch.flatten(pooled, start_dim=1)
""",
        5,
    ),
)

SOUND = (
    """
import torch
x = torch.randn(5, 7, 3)
x.softmax(-1), x.size(-3), x.unsqueeze(3), x[..., 0], x[None, :, 0], torch.tensor(2.).squeeze(), x.mean(dim=(0, 1))
torch.tensor(3.).sum(0)
try:
    x.size(4)
except IndexError:
    pass
""",
)
