"""Cases of SW126."""

FAULTY = (
    (
        """
import torch
from torch import nn
CLASSES = 4
head = nn.Linear(6, CLASSES)
labels = torch.tensor([1, 2, 3, 4, 4])
nn.CrossEntropyLoss()(head(torch.randn(5, 6)), labels)
""",
        7,
    ),
)

SOUND = (
    """
import torch
from torch import nn
nn.CrossEntropyLoss()(torch.randn(3, 4), torch.tensor([0, 3, -100]))
""",
)
