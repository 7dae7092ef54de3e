"""Cases of SW135."""

FAULTY = (
    (
        """
import torch
from torch import nn
net = nn.Linear(3, 2)
outputs = net(torch.randn(4, 3))
table = outputs.numpy()
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn
net = nn.Linear(3, 2)
net(torch.randn(4, 3)).detach().numpy()
with torch.no_grad():
    net(torch.randn(4, 3)).numpy()
""",
)
