import numpy as np
import torch
import torch.nn as nn

np.random.seed(0)
torch.manual_seed(0)
X_train = np.random.randn(90, 128, 9).astype(np.float32)
y_train = np.random.randint(0, 6, 90)
for i in range(90):
    X_train[i, :, y_train[i]] *= 2
# Conv1d wants (N, channels, steps)
X_train = np.transpose(X_train, (0, 2, 1)).copy()

X = torch.from_numpy(X_train)
y = torch.from_numpy(y_train).long()
model = nn.Sequential(
    nn.Conv1d(9, 32, 5), nn.BatchNorm1d(32), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(32, 32, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(32, 6))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
batch_size = 15
for epoch in range(3):
    model.train()
    perm = torch.randperm(len(X))
    losses = []
    for i in range(0, len(X), batch_size):
        idx = perm[i:i + batch_size]
        optimizer.zero_grad()
        loss = criterion(model(X[idx]), y[idx])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print("epoch", epoch, "loss", np.round(np.mean(losses), 4))
