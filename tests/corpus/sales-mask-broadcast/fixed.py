import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1))
train = TensorDataset(torch.randn(90, 5), torch.randn(90), torch.rand(90) > 0.3)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y, known in DataLoader(train, batch_size=18):
        pred = net(x).squeeze(1)
        error = (pred - y) ** 2
        loss = (error * known).sum() / known.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
