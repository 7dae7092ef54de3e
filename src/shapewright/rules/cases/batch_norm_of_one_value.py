"""Cases of SW115."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
net = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6))
net.train()
for (x,) in DataLoader(TensorDataset(torch.randn(9, 3)), batch_size=4):
    net(x)
""",
        8,
    ),
)

SOUND = (
    """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6))
net(torch.randn(2, 3))
net.eval()
net(torch.randn(1, 3))
""",
)
