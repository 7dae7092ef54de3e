import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

net = nn.Linear(12, 24)
for step in range(2):
    q, k = net(torch.randn(4, 7, 12)).view(4, 7, 2, 3, 4).unbind(2)
    scores = torch.einsum("bqhd,bkd->bhqk", q, k)
    loss = scores.softmax(-1)[..., 0].mean()
    loss.backward()
    print(f"{loss.item():.4f}")
