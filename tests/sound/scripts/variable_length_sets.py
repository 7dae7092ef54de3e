import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader


def collate(rows):
    n = max(len(x) for x, _ in rows)
    x = torch.zeros(len(rows), n, 4)
    keep = torch.zeros(len(rows), n, dtype=torch.bool)
    for i, (points, _) in enumerate(rows):
        x[i, :len(points)] = points
        keep[i, :len(points)] = True
    return x, keep, torch.stack([y for _, y in rows])


class DeepSet(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32))
        self.rho = nn.Linear(64, 2)

    def forward(self, x, keep):
        h = self.phi(x) * keep.unsqueeze(-1)
        count = keep.sum(dim=1, keepdim=True)
        mean = h.sum(dim=1) / count
        var = ((h - mean.unsqueeze(1)).pow(2) * keep.unsqueeze(-1)).sum(1) / count
        return self.rho(torch.cat([mean, (var + 1e-6).sqrt()], dim=1))


torch.manual_seed(0)
rows = []
for _ in range(100):
    points = torch.randn(int(torch.randint(3, 12, (1,))), 4)
    rows.append((points, torch.stack([points[:, 0].mean(), points[:, 1].std()])))
model = DeepSet()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
weights = torch.tensor([1.0, 0.5])
for epoch in range(3):
    total, seen = 0.0, 0
    for x, keep, y in DataLoader(rows, batch_size=16, shuffle=True, collate_fn=collate):
        err = F.smooth_l1_loss(model(x, keep), y, reduction="none")
        loss = (err * weights).sum(dim=1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
        seen += len(y)
    print(epoch, round(total / seen, 4))
