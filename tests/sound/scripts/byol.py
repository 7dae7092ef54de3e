"""BYOL: online and target networks, EMA by zip over parameters, cosine schedule of the momentum."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(inplace=True), nn.Linear(h, o))


class BYOL(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), mlp(32, 64, 16))
        self.predictor = mlp(16, 64, 16)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False

    @torch.no_grad()
    def update(self, tau):
        for o, t in zip(self.online.parameters(), self.target.parameters()):
            t.data.mul_(tau).add_(o.data, alpha=1 - tau)

    def forward(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return loss_fn(pa, tb.detach()) + loss_fn(pb, ta.detach())


def loss_fn(p, z):
    p, z = F.normalize(p, dim=-1), F.normalize(z, dim=-1)
    return (2 - 2 * (p * z).sum(dim=-1)).mean()


data = torch.randn(130, 16)
loader = DataLoader(TensorDataset(data), batch_size=32, shuffle=True, drop_last=True)
model = BYOL()
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3, weight_decay=1e-4)
steps, total = 0, 6 * len(loader)
for epoch in range(6):
    for (x,) in loader:
        a = x + 0.2 * torch.randn_like(x)
        b = x * (torch.rand_like(x) > 0.1)
        loss = model(a, b)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        tau = 1 - (1 - 0.99) * (math.cos(math.pi * steps / total) + 1) / 2
        model.update(tau)
        steps += 1
    print(f"epoch {epoch} loss {loss.item():.4f}")
