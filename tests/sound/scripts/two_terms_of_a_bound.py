"""A small autoencoder with noise in its code; both terms of the bound are reported as averages over the held samples."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
basis = torch.randn(3, 20)
waves = torch.sigmoid(2 * torch.randn(360, 3) @ basis)
fit, held = random_split(TensorDataset(waves), [300, 60])


class Coder(nn.Module):
    def __init__(self, width=20, code=3):
        super().__init__()
        self.down = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 2 * code))
        self.up = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, width))

    def forward(self, x):
        mean, log_variance = self.down(x).chunk(2, dim=1)
        code = mean + torch.randn_like(mean) * torch.exp(0.5 * log_variance)
        return self.up(code), mean, log_variance


def terms(logits, x, mean, log_variance):
    distortion = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
    rate = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum(1)
    return distortion.mean(), rate.mean()


net = Coder()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(4):
    net.train()
    for (x,) in DataLoader(fit, batch_size=50, shuffle=True):
        distortion, rate = terms(*(out := net(x))[:1], x, *out[1:])
        optimizer.zero_grad()
        (distortion + rate).backward()
        optimizer.step()
    net.eval()
    all_distortion = all_rate = 0.0
    with torch.no_grad():
        for (x,) in DataLoader(held, batch_size=25):
            logits, mean, log_variance = net(x)
            distortion, rate = terms(logits, x, mean, log_variance)
            all_distortion += distortion.item() * len(x)
            all_rate += rate.item() * len(x)
    print(epoch, all_distortion / len(held), all_rate / len(held), (all_distortion + all_rate) / len(held))
