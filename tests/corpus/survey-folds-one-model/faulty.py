import torch
import torch.nn as nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

torch.manual_seed(0)
x = torch.randn(200, 30)
y = torch.randint(0, 2, (200,))
dataset = TensorDataset(x, y)
perm = torch.randperm(200).tolist()
k = 4
model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
results = []
for fold in range(k):
    val_ids = perm[fold * 50:(fold + 1) * 50]
    train_ids = [i for i in perm if i not in val_ids]
    train_loader = DataLoader(dataset, batch_size=25, sampler=SubsetRandomSampler(train_ids))
    val_loader = DataLoader(dataset, batch_size=25, sampler=SubsetRandomSampler(val_ids))
    for epoch in range(6):
        model.train()
        for xb, yb in train_loader:
            optimizer.zero_grad()
            criterion(model(xb), yb).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        hits = sum((model(xb).argmax(1) == yb).sum().item() for xb, yb in val_loader)
    results.append(hits / 50)
    print("fold", fold, "accuracy", results[-1])
print("average", sum(results) / k)
