"""DDPM on points: sinusoidal timestep embedding, per-sample alphas broadcast over features, ancestral sampling."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
T = 50


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        freqs = torch.exp(-math.log(10000) * torch.arange(half) / half)
        args = t[:, None].float() * freqs[None]
        return torch.cat([args.sin(), args.cos()], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.time = nn.Sequential(TimeEmbedding(dim), nn.Linear(dim, 64), nn.SiLU())
        self.inp = nn.Linear(2, 64)
        self.mid = nn.Linear(64, 64)
        self.out = nn.Linear(64, 2)

    def forward(self, x, t):
        h = F.silu(self.inp(x) + self.time(t))
        return self.out(F.silu(self.mid(h)))


betas = torch.linspace(1e-4, 0.02, T)
alphas = 1 - betas
bar = torch.cumprod(alphas, dim=0)


def q_sample(x0, t, noise):
    a = bar[t][:, None]
    return a.sqrt() * x0 + (1 - a).sqrt() * noise


@torch.no_grad()
def sample(model, n):
    x = torch.randn(n, 2)
    for i in reversed(range(T)):
        t = torch.full((n,), i, dtype=torch.long)
        eps = model(x, t)
        x = (x - betas[i] / (1 - bar[i]).sqrt() * eps) / alphas[i].sqrt()
        if i > 0:
            x = x + betas[i].sqrt() * torch.randn_like(x)
    return x


data = torch.randn(257, 2) * torch.tensor([1.0, 0.2])
loader = DataLoader(TensorDataset(data), batch_size=64, shuffle=True)
model = Denoiser()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(5):
    for (x0,) in loader:
        t = torch.randint(0, T, (x0.size(0),))
        noise = torch.randn_like(x0)
        pred = model(q_sample(x0, t, noise), t)
        loss = F.mse_loss(pred, noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, loss.item())
print(sample(model, 16).std(dim=0))
