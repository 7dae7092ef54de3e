"""Variational losses with the divergence, the spread and the overlap written in different ways, all of them right."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(0)
data = torch.randn(96, 3) @ torch.randn(3, 10)


class Model(nn.Module):
    def __init__(self, way):
        super().__init__()
        self.way, self.enc, self.dec = way, nn.Linear(10, 8), nn.Linear(4, 10)

    def forward(self, x):
        mu, s = self.enc(x).chunk(2, dim=1)
        if self.way == 0:  # s is a log-variance
            std = torch.exp(0.5 * s)
            kl = -0.5 * torch.sum(1 + s - mu.pow(2) - s.exp(), dim=1).mean()
        elif self.way == 1:  # s is a log-deviation
            std = s.exp()
            kl = (0.5 * (mu.pow(2) + std.pow(2) - 1) - s).sum(1).mean()
        elif self.way == 2:
            std = F.softplus(s) + 1e-3
            kl = kl_divergence(Normal(mu, std), Normal(torch.zeros_like(mu), torch.ones_like(std))).sum(1).mean()
        else:
            std = s.mul(0.5).exp_()
            kl = 0.5 * (s.exp() + mu ** 2 - 1 - s).sum(1).mean()
        z = mu + std * torch.randn_like(std)
        return self.dec(z), kl, z, Normal(mu, std)


for way in range(4):
    net = Model(way)
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for x in data.split(32):
        out, kl, z, posterior = net(x)
        loss = F.mse_loss(out, x, reduction="sum") / len(x) + 0.5 * kl
        if way == 2:  # a Monte Carlo estimate of the same
            estimate = posterior.log_prob(z).sum(1) - Normal(0.0, 1.0).log_prob(z).sum(1)
            loss = loss + 0.1 * estimate.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(way, loss.item())

# likelihood of data, and a spread that is learned with it
head = nn.Linear(10, 2)
opt = torch.optim.Adam(head.parameters(), lr=1e-2)
for x in data.split(32):
    mean, raw = head(x).unbind(1)
    nll = -Normal(mean, raw.exp().clamp(0.1, 10)).log_prob(x[:, 0]).mean()
    gaussian = (0.5 * raw + 0.5 * (x[:, 0] - mean).pow(2) * torch.exp(-raw)).mean()
    opt.zero_grad()
    (nll + gaussian).backward()
    opt.step()
print("nll", nll.item())

# overlaps: a loss, a score that is read only, and a Tversky index
net = nn.Linear(10, 10)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for x in data.split(32):
    t = (x > 0).float()
    p = torch.sigmoid(net(x))
    hit = (p * t).sum(1)
    dice = (2 * hit + 1) / (p.sum(1) + t.sum(1) + 1)
    tversky = hit / (hit + 0.3 * (p * (1 - t)).sum(1) + 0.7 * ((1 - p) * t).sum(1) + 1e-6)
    loss = F.binary_cross_entropy(p, t) + (1 - dice).mean() + 1 - tversky.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("dice", dice.mean().item())

# denoising: noise is the target, the clean signal is the target, and noise is only a regulariser
for target in ("noise", "clean", "both"):
    net = nn.Linear(10, 10)
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for x in data.split(32):
        noise = torch.randn_like(x)
        mixed = 0.8 * x + 0.6 * noise
        out = net(mixed + 0.01 * torch.randn_like(x))
        loss = F.mse_loss(out, noise if target == "noise" else x)
        if target == "both":
            loss = loss + 1e-3 * F.mse_loss(net(torch.randn_like(x)), torch.zeros_like(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(target, loss.item())
