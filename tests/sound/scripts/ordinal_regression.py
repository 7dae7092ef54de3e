"""CORAL ordinal regression: one score against K-1 thresholds, broadcast on purpose; class sampler with weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
K = 5


class Coral(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 1, bias=False))
        self.thresholds = nn.Parameter(torch.linspace(1, -1, K - 1))

    def forward(self, x):
        return self.body(x) + self.thresholds


def levels(y):
    return (y[:, None] > torch.arange(K - 1)[None, :]).float()


x = torch.randn(200, 6)
y = (x[:, 0] + 0.5 * x[:, 1] + 0.2 * torch.randn(200)).mul(1.2).add(2).round().clamp(0, K - 1).long()
weights = 1.0 / torch.bincount(y, minlength=K).clamp(min=1).float()[y]
sampler = WeightedRandomSampler(weights, num_samples=len(y), replacement=True)
loader = DataLoader(TensorDataset(x, y), batch_size=25, sampler=sampler)
model = Coral()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(5):
    for xb, yb in loader:
        loss = F.binary_cross_entropy_with_logits(model(xb), levels(yb), reduction="none").sum(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        pred = (model(x) > 0).sum(dim=1)
        print(epoch, loss.item(), (pred - y).abs().float().mean().item())
