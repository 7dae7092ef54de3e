"""A regression on NumPy data: one permutation for both arrays, a split, a kernel of all pairs, and metrics on columns and on flat arrays."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(3)
torch.manual_seed(3)
features = rng.normal(size=(90, 5)).astype("float32")
price = (features @ np.array([1.0, -2.0, 0.5, 0.0, 3.0]) + rng.normal(scale=0.1, size=90)).astype("float32")
order = rng.permutation(len(features))
features = features[order]
price = price[order]
x_train, x_test = features[:60], features[60:]
y_train, y_test = price[:60, None], price[60:, None]
mean, std = y_train.mean(), y_train.std()

distance = np.abs(price[:, None] - price[None, :])
spread = np.square(price.reshape(-1, 1) - price).mean()
print("spread", distance.mean(), spread)

model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
loader = DataLoader(TensorDataset(torch.from_numpy(x_train), torch.from_numpy((y_train - mean) / std)), batch_size=16, shuffle=True)
for epoch in range(3):
    model.train()
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        guess = model(torch.from_numpy(x_test)).numpy() * std + mean
    error = guess - y_test
    rmse = np.sqrt(np.mean(error ** 2))
    mae = np.abs(guess.ravel() - y_test[:, 0]).mean()
    r2 = 1 - (error ** 2).sum() / ((y_test - y_test.mean()) ** 2).sum()
    importance = []
    for column in range(5):
        permuted = x_test.copy()
        permuted[:, column] = rng.permutation(permuted[:, column])
        with torch.no_grad():
            other = model(torch.from_numpy(permuted)).numpy() * std + mean
        importance.append(np.mean((other - y_test) ** 2) - rmse ** 2)
    y_shuffled = rng.permutation(y_test)
    chance = np.mean((guess - y_shuffled) ** 2)
    print(epoch, rmse, mae, r2, chance, importance)
