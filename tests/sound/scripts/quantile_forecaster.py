import math

import torch
import torch.nn as nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


class TCN(nn.Module):
    def __init__(self, feats=3, ch=16, horizon=6):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(feats if i == 0 else ch, ch, 2, dilation=2 ** i) for i in range(4)])
        self.head = nn.Linear(ch, horizon * 3)
        self.horizon = horizon

    def forward(self, x):
        h = x.permute(0, 2, 1)
        for i, conv in enumerate(self.convs):
            h = torch.relu(conv(nn.functional.pad(h, (2 ** i, 0))))
        return self.head(h[:, :, -1]).view(-1, self.horizon, 3)


def pinball(pred, target):
    err = target.unsqueeze(-1) - pred
    return torch.max(QUANTILES * err, (QUANTILES - 1) * err).sum(-1).mean()


class RevIN(nn.Module):
    def forward(self, x):
        mean = x.mean(dim=1, keepdim=True).detach()
        std = x.std(dim=1, keepdim=True).detach() + 1e-5
        return (x - mean) / std, mean, std


def load(n=180, length=24, horizon=6):
    t = torch.arange(length + horizon).float()
    y = torch.sin(t / 3 + 6 * torch.rand(n, 1)) * (1 + torch.rand(n, 1)) + 0.1 * torch.randn(n, length + horizon)
    day = (2 * math.pi * t / 24)[None].expand(n, -1)
    x = torch.stack([y, day.sin(), day.cos()], dim=-1)
    return x[:, :length], y[:, length:]


torch.manual_seed(0)
x, y = load()
model, rev = TCN(), RevIN()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(4):
    for idx in torch.randperm(len(x)).split(32):
        xb, yb = x[idx], y[idx]
        norm, mean, std = rev(xb[..., :1])
        pred = model(torch.cat([norm, xb[..., 1:]], dim=-1)) * std + mean
        loss = pinball(pred, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    cover = ((yb >= pred[..., 0]) & (yb <= pred[..., 2])).float().mean()
    print(epoch, round(loss.item(), 4), round(cover.item(), 3))
