import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

train = TensorDataset(torch.randn(100, 13), torch.randint(0, 2, (100,)))
model = nn.Sequential(nn.Linear(13, 16), nn.ReLU(), nn.Linear(16, 2))
loader = DataLoader(train, batch_size=25, shuffle=True)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        total += loss.item()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{total / len(loader):.4f}")
