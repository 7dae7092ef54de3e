import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
quantiles = [0.1, 0.5, 0.9]
def pinball(pred, target):
    losses = []
    for i, q in enumerate(quantiles):
        error = target - pred[:, i]
        losses.append(torch.max((q - 1) * error, q * error))
    return torch.stack(losses).mean()

train = TensorDataset(torch.randn(80, 6), torch.randn(80, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in DataLoader(train, batch_size=20):
        loss = pinball(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
