"""Cases of SW125."""

FAULTY = (
    (
        """
import torch
from torch import nn
net = nn.Linear(5, 3)
labels = torch.randint(0, 3, (9, 1))
nn.CrossEntropyLoss()(net(torch.randn(9, 5)), labels)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
logits = nn.Linear(8, 30)(torch.randn(4, 12, 8))
tokens = torch.randint(0, 30, (4, 12))
loss = nn.functional.cross_entropy(logits, tokens)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
conv = nn.Conv2d(1, 4, 3, padding=1)
x = conv(torch.randn(6, 1, 8, 8)).view(-1, 4 * 16)
loss = nn.functional.nll_loss(torch.log_softmax(x, 1), torch.randint(0, 4, (6,)))
""",
        6,
    ),
    (
        """
import torch
masks = torch.randint(0, 2, (3, 1, 6, 6))
torch.nn.functional.cross_entropy(torch.randn(3, 2, 6, 6), masks)
""",
        4,
    ),
    (
        """
import torch
from torch import nn
weight = torch.tensor([0.2, 0.3, 0.5])
criterion = nn.CrossEntropyLoss(weight=weight)
criterion(nn.Linear(8, 4)(torch.randn(5, 8)), torch.tensor([0, 1, 2, 0, 1]))
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch.nn.functional import cross_entropy
cross_entropy(torch.randn(9, 3), torch.randint(0, 3, (9,)))
cross_entropy(torch.randn(9, 3), torch.softmax(torch.randn(9, 3), 1))
cross_entropy(torch.randn(4, 30, 12), torch.randint(0, 30, (4, 12)))
cross_entropy(torch.randn(3), torch.tensor(1))
""",
)
