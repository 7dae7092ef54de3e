import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

net = nn.Linear(4, 6)
source = torch.randint(0, 12, (30,))
dest = torch.randint(0, 12, (30,))
x, y = torch.randn(12, 4), torch.randn(12, 6)
opt = torch.optim.Adam(net.parameters())
for step in range(3):
    messages = net(x)
    pooled = torch.zeros(12, 6).index_add_(0, dest, messages)
    loss = F.mse_loss(pooled, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}")
