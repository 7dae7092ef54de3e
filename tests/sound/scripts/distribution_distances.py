"""Generators trained by distances between distributions: energy distance, sorted values, kernel means; an ensemble trained by its CRPS."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def kernel_mean(a, b):
    return torch.exp(-(a[:, None] - b[None]).pow(2).sum(-1)).mean()


maker = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(maker.parameters(), lr=1e-2)
for (seen,) in DataLoader(TensorDataset(torch.randn(60, 1)), batch_size=12, shuffle=True):
    made = maker(torch.randn(len(seen), 4))
    energy = 2 * (made - seen.T).abs().mean() - (made - made.T).abs().mean() - (seen - seen.T).abs().mean()
    sorted_gap = (made.sort(0).values - seen.sort(0).values).abs().mean()
    mmd = kernel_mean(made, made) + kernel_mean(seen, seen) - 2 * kernel_mean(made, seen)
    loss = energy + sorted_gap + mmd
    opt.zero_grad()
    loss.backward()
    opt.step()

ensemble = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 8))
opt = torch.optim.Adam(ensemble.parameters(), lr=1e-2)
data = TensorDataset(torch.randn(40, 3), torch.randn(40))
for x, y in DataLoader(data, batch_size=8, shuffle=True):
    members = ensemble(x)
    skill = (members - y[:, None]).abs().mean()
    spread = (members.unsqueeze(2) - members.unsqueeze(1)).abs().mean()
    loss = skill - 0.5 * spread
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
