"""Distributions as outputs: a mixture density network (B, K) against (B, 1), Gaussian NLL, quantile (pinball) loss against y[:, None], MC dropout."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
QUANTILES = torch.tensor([0.1, 0.5, 0.9])


class Heads(nn.Module):
    def __init__(self, k=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Dropout(0.1), nn.Linear(32, 32), nn.Tanh())
        self.pi, self.mu, self.ls = nn.Linear(32, k), nn.Linear(32, k), nn.Linear(32, k)
        self.gauss, self.q = nn.Linear(32, 2), nn.Linear(32, 3)

    def forward(self, x):
        h = self.body(x)
        return (self.pi(h), self.mu(h), self.ls(h).clamp(-4, 4)), self.gauss(h), self.q(h)


def mdn_loss(pi, mu, log_sigma, y):
    z = (y.unsqueeze(1) - mu) / log_sigma.exp()
    logp = -0.5 * z.pow(2) - log_sigma - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(F.log_softmax(pi, dim=1) + logp, dim=1).mean()


def pinball(q, y):
    error = y[:, None] - q
    return torch.maximum(QUANTILES * error, (QUANTILES - 1) * error).sum(dim=1).mean()


t = torch.rand(201)
x = (t + 0.3 * torch.sin(2 * math.pi * t) + 0.05 * torch.randn(201)).unsqueeze(1)
y = t
loader = DataLoader(TensorDataset(x, y), batch_size=40, shuffle=True)
model = Heads()
gnll = nn.GaussianNLLLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(5):
    model.train()
    for xb, yb in loader:
        mix, gauss, q = model(xb)
        loss = mdn_loss(*mix, yb) + gnll(gauss[:, 0], yb, gauss[:, 1].exp()) + pinball(q, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
model.eval()
for m in model.modules():
    if isinstance(m, nn.Dropout):
        m.train()
with torch.no_grad():
    draws = torch.stack([model(x)[1][:, 0] for _ in range(8)])
    mean, std = draws.mean(dim=0), draws.std(dim=0)
    covered = ((model(x)[2][:, 0] <= y) & (y <= model(x)[2][:, 2])).float().mean()
print((mean - y).pow(2).mean().item(), std.mean().item(), covered.item())
