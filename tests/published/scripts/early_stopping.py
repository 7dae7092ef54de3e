# cause: a cut loop
import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import accuracy_score, confusion_matrix
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(120, 6), torch.randint(0, 3, (120,))
train_loader = DataLoader(TensorDataset(x[:90], y[:90]), batch_size=16, shuffle=True)
valid_loader = DataLoader(TensorDataset(x[90:], y[90:]), batch_size=16)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, 3))
criterion, optimizer = nn.CrossEntropyLoss(), torch.optim.Adam(model.parameters())
patience, waited, best, n_epochs = 5, 0, float("inf"), 40
train_losses, valid_losses = [], []
for epoch in range(n_epochs):
    model.train()
    total = 0.0
    for xb, yb in train_loader:
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    train_losses.append(total / len(train_loader.dataset))
    model.eval()
    total, guesses = 0.0, []
    with torch.no_grad():
        for xb, yb in valid_loader:
            out = model(xb)
            total += criterion(out, yb).item() * len(xb)
            guesses.append(out.argmax(1))
    valid_losses.append(total / len(valid_loader.dataset))
    if valid_losses[-1] < best:
        best, waited = valid_losses[-1], 0
        torch.save(model.state_dict(), "best.pt")
    else:
        waited += 1
        if waited >= patience:
            break
guesses = torch.cat(guesses).numpy()
print(accuracy_score(y[90:].numpy(), guesses))
print(confusion_matrix(y[90:].numpy(), guesses))
plt.plot(np.arange(1, len(train_losses) + 1), train_losses)
plt.plot(range(1, n_epochs + 1), valid_losses)
plt.savefig("loss.png")
model.load_state_dict(torch.load("best.pt"))
