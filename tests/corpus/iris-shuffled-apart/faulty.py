import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

features = torch.randn(150, 4)
labels = (features[:, 0] > 0).long() + (features[:, 1] > 0).long()
order = torch.randperm(150)
features = features[order]
labels = labels[torch.randperm(150)]
train = TensorDataset(features[:120], labels[:120])
model = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3))

loader = DataLoader(train, batch_size=16, shuffle=True)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f}")
