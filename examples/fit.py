"""A regression as its author first wrote it: it runs, its loss falls, and it learns the mean of the targets."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(256, 8)
y = x.sum(1) + 0.1 * torch.randn(256)

model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(20):
    for inputs, targets in DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True):
        loss = nn.functional.mse_loss(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
