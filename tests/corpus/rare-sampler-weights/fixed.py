import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
y = torch.cat([torch.zeros(260), torch.ones(40)]).long()[torch.randperm(300)]
x = torch.randn(300, 10) + y.unsqueeze(1) * 0.8
class_count = torch.bincount(y).float()
class_weights = 1.0 / class_count
sampler = WeightedRandomSampler(class_weights[y], num_samples=len(y), replacement=True)
loader = DataLoader(TensorDataset(x, y), batch_size=32, sampler=sampler)

model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(4):
    running, hits = 0.0, 0
    for xb, yb in loader:
        optimizer.zero_grad()
        out = model(xb)
        loss = criterion(out, yb)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(yb)
        hits += (out.argmax(1) == yb).sum().item()
    print(f"epoch {epoch} loss {running / 300:.4f} acc {hits / 300:.3f}")
