import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Linear(20, 1))
train = TensorDataset(torch.randn(96, 7), torch.randn(96), torch.rand(96))
criterion = nn.MSELoss(reduction="none")
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for x, level, weight in DataLoader(train, batch_size=16, shuffle=True):
        pred = net(x).squeeze(-1)
        loss = (criterion(pred, level) * weight).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
