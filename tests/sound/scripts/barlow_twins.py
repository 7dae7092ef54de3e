import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, n=160):
        g = torch.Generator().manual_seed(0)
        self.x = torch.rand(10, 1, 16, 16, generator=g)[torch.randint(0, 10, (n,), generator=g)]

    def __len__(self):
        return len(self.x)

    def view(self, x):
        x = torch.roll(x, shifts=int(torch.randint(-2, 3, (1,))), dims=2)
        return x + 0.1 * torch.randn_like(x)

    def __getitem__(self, i):
        return self.view(self.x[i]), self.view(self.x[i])


class BarlowTwins(nn.Module):
    def __init__(self, dim=32, lambd=5e-3):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.projector = nn.Sequential(nn.Linear(256, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, dim))
        self.bn = nn.BatchNorm1d(dim, affine=False)
        self.lambd = lambd

    def forward(self, y1, y2):
        z1, z2 = self.projector(self.backbone(y1)), self.projector(self.backbone(y2))
        c = self.bn(z1).T @ self.bn(z2)
        c.div_(y1.size(0))
        on_diag = torch.diagonal(c).add_(-1).pow_(2).sum()
        off = c.flatten()[:-1].view(c.size(0) - 1, c.size(0) + 1)[:, 1:].flatten().pow_(2).sum()
        return on_diag + self.lambd * off


class VICReg(nn.Module):
    def forward(self, a, b):
        std = lambda z: torch.sqrt(z.var(dim=0) + 1e-4)
        var = F.relu(1 - std(a)).mean() + F.relu(1 - std(b)).mean()
        a, b = a - a.mean(dim=0), b - b.mean(dim=0)
        cov = lambda z: ((z.T @ z) / (len(z) - 1)).fill_diagonal_(0).pow(2).sum() / z.size(1)
        return 25 * F.mse_loss(a, b) + 25 * var + cov(a) + cov(b)


torch.manual_seed(0)
model, vic = BarlowTwins(), VICReg()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = DataLoader(TwoViews(), batch_size=32, shuffle=True, drop_last=True)
for epoch in range(3):
    for v1, v2 in loader:
        loss = model(v1, v2) + 0.01 * vic(model.projector(model.backbone(v1)), model.projector(model.backbone(v2)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))
