"""Cases of SW117."""

FAULTY = (
    (
        """
import torch
from torch import nn
q = nn.Linear(4, 2)(torch.randn(8, 4))
actions = torch.randint(0, 2, (8,))
chosen = q.gather(1, actions)
""",
        6,
    ),
    (
        """
import torch
x = torch.randn(4, 6, 3)
keep = torch.ones(6, 4, dtype=torch.bool)
picked = x[keep]
""",
        5,
    ),
    (
        """
import torch
rows, columns = torch.arange(5), torch.arange(3)
torch.zeros(5, 5)[rows, columns]
""",
        4,
    ),
)

SOUND = (
    """
import torch
q = torch.randn(8, 2)
q.gather(1, torch.zeros(8, 1, dtype=torch.long)).squeeze(1)
q[torch.arange(8), torch.zeros(8, dtype=torch.long)], q[q > 0], q[q[:, 0] > 0]
""",
)
