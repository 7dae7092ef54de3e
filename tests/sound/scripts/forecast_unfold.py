"""Forecasting: windows by unfold, several horizons, a scaler of the training part, an LSTM with its last step (no padding)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
LOOK, AHEAD = 24, 6
t = torch.arange(600).float()
series = torch.stack([torch.sin(t / 8), torch.cos(t / 5)], dim=1) + 0.1 * torch.randn(600, 2)
cut = 480
mean, std = series[:cut].mean(dim=0), series[:cut].std(dim=0)
series = (series - mean) / std


def windows(part):
    w = part.unfold(0, LOOK + AHEAD, 1).transpose(1, 2)
    return w[:, :LOOK], w[:, LOOK:, 0]


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.LSTM(2, hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.head = nn.Linear(hidden, AHEAD)

    def forward(self, x):
        out, (h, c) = self.rnn(x)
        return self.head(out[:, -1, :]) + x[:, -1:, 0]


train = DataLoader(TensorDataset(*windows(series[:cut])), batch_size=64, shuffle=True)
test = DataLoader(TensorDataset(*windows(series[cut - LOOK:])), batch_size=64)
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
criterion = nn.L1Loss()
for epoch in range(3):
    model.train()
    for x, y in train:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    errors = []
    with torch.no_grad():
        for x, y in test:
            errors.append((model(x) - y).abs())
    errors = torch.cat(errors)
    plateau.step(errors.mean())
    print(epoch, errors.mean(dim=0).tolist())
forecast = model(series[-LOOK:].unsqueeze(0)).squeeze(0).detach() * std[0] + mean[0]
print(forecast.numpy().round(2))
