import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 32))

    def forward(self, x):
        return self.body(x)


class Adapter(nn.Module):
    def __init__(self, dim, r=4):
        super().__init__()
        self.down, self.up = nn.Linear(dim, r, bias=False), nn.Linear(r, dim, bias=False)
        nn.init.zeros_(self.up.weight)

    def forward(self, x):
        return x + self.up(self.down(x))


class Tuned(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone, self.adapter, self.head = backbone, Adapter(32), nn.Linear(32, classes)

    def forward(self, x):
        with torch.no_grad():
            h = self.backbone(x)
        return self.head(self.adapter(h))


torch.manual_seed(0)
y = torch.randint(0, 3, (180,))
x = torch.randn(3, 16)[y] + torch.randn(180, 16)
pre = nn.Sequential(Backbone(), nn.Linear(32, 16))
opt = torch.optim.Adam(pre.parameters(), lr=1e-3)
for xb, in DataLoader(TensorDataset(x), batch_size=30, shuffle=True):
    loss = F.mse_loss(pre(xb + 0.3 * torch.randn_like(xb)), xb)
    opt.zero_grad()
    loss.backward()
    opt.step()
model = Tuned(copy.deepcopy(pre[0]), 3)
opt = torch.optim.Adam((p for n, p in model.named_parameters() if not n.startswith("backbone")), lr=5e-3)
warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=5)
critic = nn.Linear(32, 1)
for epoch in range(3):
    model.head.train()
    model.backbone.eval()
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=30, shuffle=True):
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        warm.step()
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean()
    model.train()
    print(epoch, round(loss.item(), 4), round(acc.item(), 3))
