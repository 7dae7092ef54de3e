"""Batches drawn by a permutation, and samples of a batch that meet on purpose: mixup by a flip, batch statistics, in-batch negatives."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
np.random.seed(0)
x, y = torch.randn(160, 12, 6), torch.randint(0, 4, (160,))
encoder = nn.Sequential(nn.Flatten(), nn.Linear(72, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 16))
head = nn.Linear(16, 4)
opt = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=1e-3)
for epoch in range(3):
    order = np.random.permutation(len(x))
    for start in range(0, len(x), 32):
        rows = order[start:start + 32]
        xb, yb = x[rows], y[rows]
        lam = float(np.random.beta(0.4, 0.4))
        mixed = lam * xb + (1 - lam) * xb.flip(0)
        loss = lam * F.cross_entropy(head(encoder(mixed)), yb) + (1 - lam) * F.cross_entropy(head(encoder(mixed)), yb.flip(0))
        z = F.normalize(encoder(xb), dim=1)
        near = F.normalize(encoder(xb + 0.05 * torch.randn_like(xb)), dim=1)
        loss = loss + F.cross_entropy(z @ near.t() / 0.2, torch.arange(len(z)))
        loss = loss + F.relu(0.5 - (z - near.roll(1, 0)).norm(dim=1) + (z - near).norm(dim=1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
