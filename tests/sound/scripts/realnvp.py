"""Normalising flow: coupling layers with binary masks, log-determinants summed over features, sampling by the inverse."""
import torch
import torch.nn as nn
from torch.distributions import Independent, Normal
from torch.utils.data import DataLoader

torch.manual_seed(0)


class Coupling(nn.Module):
    def __init__(self, dim, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.s = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, dim), nn.Tanh())
        self.t = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        kept = x * self.mask
        s, t = self.s(kept) * (1 - self.mask), self.t(kept) * (1 - self.mask)
        return kept + (1 - self.mask) * (x * s.exp() + t), s.sum(dim=1)

    def inverse(self, z):
        kept = z * self.mask
        s, t = self.s(kept) * (1 - self.mask), self.t(kept) * (1 - self.mask)
        return kept + (1 - self.mask) * (z - t) * (-s).exp()


class Flow(nn.Module):
    def __init__(self, dim=2, depth=4):
        super().__init__()
        base = torch.tensor([1.0, 0.0])
        self.layers = nn.ModuleList([Coupling(dim, base if i % 2 == 0 else 1 - base) for i in range(depth)])
        self.register_buffer("loc", torch.zeros(dim))
        self.register_buffer("scale", torch.ones(dim))

    @property
    def prior(self):
        return Independent(Normal(self.loc, self.scale), 1)

    def log_prob(self, x):
        total = x.new_zeros(x.size(0))
        for layer in self.layers:
            x, logdet = layer(x)
            total = total + logdet
        return self.prior.log_prob(x) + total

    @torch.no_grad()
    def sample(self, n):
        z = self.prior.sample((n,))
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


angle = torch.rand(257) * torch.pi
moons = torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(257, 2)
loader = DataLoader(moons, batch_size=64, shuffle=True)
flow = Flow()
optimizer = torch.optim.Adam(flow.parameters(), lr=5e-3)
for epoch in range(5):
    for x in loader:
        loss = -flow.log_prob(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
print(flow.sample(64).mean(dim=0))
