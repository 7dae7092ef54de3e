"""Patches, windows and pixels folded and unfolded with their axes moved, and views that split one axis and merge others."""
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)


def patchify(x, p):
    b, c, h, w = x.shape
    return x.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 5, 1).reshape(b, (h // p) * (w // p), p * p * c)


def unpatchify(x, p, g, c):
    return x.view(x.size(0), g, g, p, p, c).permute(0, 5, 1, 3, 2, 4).reshape(x.size(0), c, g * p, g * p)


class Restorer(nn.Module):
    def __init__(self, p=4, g=4, c=2):
        super().__init__()
        self.p, self.g, self.c = p, g, c
        self.inp, self.out = nn.Linear(p * p * c, 32), nn.Linear(32, p * p * c)
        self.mix = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
        self.up = nn.Conv2d(c, 4 * c, 3, padding=1)

    def forward(self, x):
        h = self.mix(self.inp(patchify(x, self.p)))
        small = unpatchify(self.out(h), self.p, self.g, self.c)
        b, c, n, _ = small.shape
        grid = h.view(b, self.g, self.g, -1)
        halves = grid.view(b, 2, self.g // 2, 2, self.g // 2, -1).permute(0, 1, 3, 2, 4, 5).reshape(b * 4, -1, 32)
        means = halves.mean(1).view(b, 2, 2, 32).flatten(1)
        wide = self.up(small).view(b, c, 2, 2, n, n).permute(0, 1, 4, 2, 5, 3).reshape(b, c, 2 * n, 2 * n)
        return wide, small.reshape(b, c, -1).mean(-1) + means.view(b, 4, 32).mean((1, 2))[:, None]


big = torch.rand(40, 2, 32, 32)
net = Restorer()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for target in DataLoader(big, batch_size=8, shuffle=True):
        wide, level = net(nn.functional.avg_pool2d(target, 2))
        loss = nn.functional.mse_loss(wide, target) + (level - target.mean((2, 3))).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 5))
