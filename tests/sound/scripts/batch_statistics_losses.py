"""Losses that mix the batch on purpose: Barlow Twins, VICReg, SwAV's Sinkhorn, DINO's centre, batch-softmax weights (AWR), OHEM top-k."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def off_diagonal(m):
    n = m.size(0)
    return m.flatten()[:-1].view(n - 1, n + 1)[:, 1:].flatten()


def barlow(a, b, lam=5e-3):
    a, b = (a - a.mean(0)) / (a.std(0) + 1e-6), (b - b.mean(0)) / (b.std(0) + 1e-6)
    c = a.T @ b / a.size(0)
    return (c.diagonal() - 1).pow(2).sum() + lam * off_diagonal(c).pow(2).sum()


def vicreg(a, b):
    inv = F.mse_loss(a, b)
    var = sum(F.relu(1 - torch.sqrt(z.var(dim=0) + 1e-4)).mean() for z in (a, b))
    cov = sum(off_diagonal((z - z.mean(0)).T @ (z - z.mean(0)) / (len(z) - 1)).pow(2).sum() / z.size(1) for z in (a, b))
    return 25 * inv + 25 * var + cov


@torch.no_grad()
def sinkhorn(scores, eps=0.05, iters=3):
    Q = torch.exp(scores / eps).t()
    Q /= Q.sum()
    K, B = Q.shape
    for _ in range(iters):
        Q /= Q.sum(dim=1, keepdim=True) * K
        Q /= Q.sum(dim=0, keepdim=True) * B
    return (Q * B).t()


encoder = nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 10))
prototypes = nn.Linear(10, 6, bias=False)
value = nn.Linear(10, 1)
params = [*encoder.parameters(), *prototypes.parameters(), *value.parameters()]
optimizer = torch.optim.Adam(params, lr=2e-3)
centre = torch.zeros(1, 6)
x = torch.randn(133, 12)
r = x[:, 0] + 0.1 * torch.randn(133)
loader = DataLoader(TensorDataset(x, r), batch_size=32, shuffle=True, drop_last=True)
for epoch in range(3):
    for xb, rb in loader:
        a, b = encoder(xb + 0.1 * torch.randn_like(xb)), encoder(xb + 0.1 * torch.randn_like(xb))
        with torch.no_grad():
            prototypes.weight.copy_(F.normalize(prototypes.weight, dim=1))
        sa, sb = prototypes(F.normalize(a, dim=1)), prototypes(F.normalize(b, dim=1))
        swav = -(sinkhorn(sa) * F.log_softmax(sb / 0.1, dim=1)).sum(dim=1).mean()
        teacher = F.softmax((sa.detach() - centre) / 0.04, dim=-1)
        dino = -(teacher * F.log_softmax(sb / 0.1, dim=-1)).sum(dim=-1).mean()
        centre = centre * 0.9 + sa.detach().mean(dim=0, keepdim=True) * 0.1
        v = value(a).squeeze(-1)
        each = F.smooth_l1_loss(v, rb, reduction="none")
        hard = each.topk(k=max(1, len(each) // 2)).values.mean()
        weight = F.softmax((rb - v).detach() / 0.5, dim=0)
        awr = (weight * each).sum()
        loss = barlow(a, b) + vicreg(a, b) + swav + dino + hard + awr
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
