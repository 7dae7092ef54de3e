"""The costs of two layers whose weights are drawn are added up: made alike, they are two numbers."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)


class Drawn(nn.Module):
    def __init__(self, given, made):
        super().__init__()
        self.middle = nn.Parameter(0.3 * torch.randn(made, given))
        self.width = nn.Parameter(torch.full((made, given), -4.0))

    def forward(self, x):
        width = F.softplus(self.width)
        self.cost = (width.square() + self.middle.square() - 2 * width.log()).sum() / 2
        return x @ (self.middle + width * torch.randn_like(width)).t()


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = Drawn(2, 8), Drawn(8, 1)

    def forward(self, x):
        return self.two(torch.tanh(self.one(x)))


both = Both()
opt = torch.optim.Adam(both.parameters(), lr=1e-2)
x = torch.randn(64, 2)
y = x[:, :1] * x[:, 1:]
for epoch in range(3):
    for rows in torch.randperm(64).split(16):
        fit = (both(x[rows]) - y[rows]).square().sum() * 64 / 16
        loss = 50 * fit + (both.one.cost + both.two.cost)
        opt.zero_grad()
        loss.backward()
        opt.step()
