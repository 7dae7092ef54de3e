"""Predictions gathered over a whole evaluation and compared with the full label vector; losses collected and stacked."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(301, 8), torch.randint(0, 3, (301,))
x_test, y_test = torch.randn(150, 8), torch.randint(0, 3, (150,))
train_loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
test_loader = DataLoader(TensorDataset(x_test, y_test), batch_size=20)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
history = np.zeros((4, len(train_loader)))
for epoch in range(4):
    model.train()
    for i, (xb, yb) in enumerate(train_loader):
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history[epoch, i] = loss.item()
    model.eval()
    preds = []
    with torch.no_grad():
        for xb, _ in test_loader:
            preds.append(model(xb).argmax(dim=1))
    preds = torch.cat(preds)
    accuracy = (preds == y_test).float().mean().item()
    confusion = torch.zeros(3, 3, dtype=torch.long)
    confusion.index_put_((y_test, preds), torch.ones(len(y_test), dtype=torch.long), accumulate=True)
    assert confusion.sum() == len(y_test)
    print(epoch, history[epoch].mean(), accuracy)
best = int(history.mean(axis=1).argmin())
curve = torch.tensor(history[best]).view(len(train_loader))
print("best epoch", best, curve[-1].item())
