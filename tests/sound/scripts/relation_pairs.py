"""Relation network and all pairs by repeat against repeat_interleave, on purpose; pairwise ranking with s[:, None] - s."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class RelationNet(nn.Module):
    def __init__(self, dim=5):
        super().__init__()
        self.g = nn.Sequential(nn.Linear(2 * dim, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.f = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        b, n, d = x.shape
        left = x.repeat_interleave(n, dim=1)
        right = x.repeat(1, n, 1)
        pairs = self.g(torch.cat([left, right], dim=-1))
        return self.f(pairs.sum(dim=1)).squeeze(-1)


def pair_distances(a):
    n = a.size(0)
    diff = a.repeat_interleave(n, dim=0) - a.repeat(n, 1)
    return diff.pow(2).sum(dim=1).view(n, n)


def rank_loss(scores, gains):
    better = gains.unsqueeze(1) > gains.unsqueeze(0)
    diff = scores[:, None] - scores
    return F.softplus(-diff[better]).mean()


x = torch.randn(90, 6, 5)
y = torch.cdist(x, x).flatten(1).max(dim=1).values
loader = DataLoader(TensorDataset(x, y), batch_size=18, shuffle=True)
model = RelationNet()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(4):
    for xb, yb in loader:
        scores = model(xb)
        spread = pair_distances(xb.flatten(1))
        loss = F.mse_loss(scores, yb) + 0.1 * rank_loss(scores, yb) + 0.001 * spread.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
with torch.no_grad():
    s = model(x)
    concordant = ((s[:, None] > s[None]) == (y[:, None] > y[None])).float().mean()
print(concordant.item())
