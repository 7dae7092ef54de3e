"""TCN: causal padding cut off by a Chomp, dilations, weight norm, per-step regression on (B, C, T)."""
import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Chomp(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def forward(self, x):
        return x[:, :, :-self.n].contiguous()


class TemporalBlock(nn.Module):
    def __init__(self, i, o, k, d):
        super().__init__()
        pad = (k - 1) * d
        self.net = nn.Sequential(
            weight_norm(nn.Conv1d(i, o, k, padding=pad, dilation=d)), Chomp(pad), nn.ReLU(), nn.Dropout(0.1),
            weight_norm(nn.Conv1d(o, o, k, padding=pad, dilation=d)), Chomp(pad), nn.ReLU(), nn.Dropout(0.1),
        )
        self.down = nn.Conv1d(i, o, 1) if i != o else None

    def forward(self, x):
        res = x if self.down is None else self.down(x)
        return torch.relu(self.net(x) + res)


class TCN(nn.Module):
    def __init__(self, channels=(12, 12, 12)):
        super().__init__()
        layers, prev = [], 2
        for level, c in enumerate(channels):
            layers.append(TemporalBlock(prev, c, 3, 2 ** level))
            prev = c
        self.net, self.out = nn.Sequential(*layers), nn.Linear(prev, 1)

    def forward(self, x):
        h = self.net(x.transpose(1, 2))
        return self.out(h[:, :, -1]), self.out(h.transpose(1, 2)).squeeze(-1)


x = torch.rand(130, 30, 2)
marks = torch.zeros(130, 30)
marks[torch.arange(130), torch.randint(0, 15, (130,))] = 1
marks[torch.arange(130), torch.randint(15, 30, (130,))] = 1
x[:, :, 1] = marks
running = (x[:, :, 0] * marks).cumsum(dim=1)
y = running[:, -1:]
loader = DataLoader(TensorDataset(x, y, running), batch_size=32, shuffle=True)
model = TCN()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(3):
    for xb, yb, rb in loader:
        last, every = model(xb)
        loss = nn.functional.mse_loss(last, yb) + 0.1 * nn.functional.mse_loss(every, rb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
