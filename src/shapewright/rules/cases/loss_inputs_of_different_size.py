"""Cases of SW127."""

FAULTY = (
    (
        """
import torch
from torch import nn
net = nn.Linear(6, 1)
y = torch.randint(0, 2, (10,)).float()
nn.BCEWithLogitsLoss()(net(torch.randn(10, 6)), y)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
up = nn.Sequential(nn.Conv1d(1, 4, 3, stride=2, padding=1), nn.ConvTranspose1d(4, 1, 3, stride=2))
x = torch.randn(5, 1, 20)
loss = nn.functional.mse_loss(up(x), x)
""",
        6,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(6, 4)
y = nn.functional.one_hot(torch.arange(10) % 5, 5).float()
nn.functional.binary_cross_entropy(torch.sigmoid(net(torch.randn(10, 6))), y)
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch.nn import functional as F
F.binary_cross_entropy_with_logits(torch.randn(10), torch.ones(10))
F.mse_loss(torch.randn(4, 3), torch.randn(4, 3))
""",
)
