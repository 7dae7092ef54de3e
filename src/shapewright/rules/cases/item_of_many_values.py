"""Cases of SW134."""

FAULTY = (
    (
        """
import torch
from torch import nn
criterion = nn.CrossEntropyLoss(reduction="none")
loss = criterion(torch.randn(4, 3), torch.tensor([0, 1, 2, 0]))
print(loss.item())
""",
        6,
    ),
    (
        """
import torch
scores = torch.randn(5, 1)
if scores > 0:
    print("yes")
""",
        4,
    ),
)

SOUND = (
    """
import torch
torch.randn(1, 1).item(), float(torch.tensor([2.0])), bool((torch.randn(3) > 0).any())
""",
)
