"""Conditional neural process: context sets beside target sets, attention across points, variable numbers of points a step."""
import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(0)


class NeuralProcess(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(2, d), nn.ReLU(), nn.Linear(d, d))
        self.latent = nn.Linear(d, 2 * d)
        self.q, self.k = nn.Linear(1, d), nn.Linear(1, d)
        self.att = nn.MultiheadAttention(d, 4, batch_first=True)
        self.dec = nn.Sequential(nn.Linear(2 * d + 1, d), nn.ReLU(), nn.Linear(d, 2))

    def posterior(self, x, y):
        mu, raw = self.latent(self.enc(torch.cat([x, y], dim=-1)).mean(dim=1)).chunk(2, dim=-1)
        return Normal(mu, 0.1 + 0.9 * torch.sigmoid(raw))

    def forward(self, xc, yc, xt, yt=None):
        prior = self.posterior(xc, yc)
        post = self.posterior(xt, yt) if yt is not None else prior
        z = post.rsample().unsqueeze(1).expand(-1, xt.size(1), -1)
        r, _ = self.att(self.q(xt), self.k(xc), self.enc(torch.cat([xc, yc], dim=-1)))
        mu, raw = self.dec(torch.cat([z, r, xt], dim=-1)).chunk(2, dim=-1)
        return Normal(mu, 0.1 + 0.9 * nn.functional.softplus(raw)), post, prior


def curves(b, n):
    x = torch.rand(b, n, 1) * 4 - 2
    a, p = torch.rand(b, 1, 1) + 0.5, torch.rand(b, 1, 1) * 3
    return x, a * torch.sin(2 * x + p)


model = NeuralProcess()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(30):
    m = int(torch.randint(3, 10, (1,)))
    n = m + int(torch.randint(3, 10, (1,)))
    x, y = curves(16, n)
    dist, post, prior = model(x[:, :m], y[:, :m], x, y)
    nll = -dist.log_prob(y).sum(dim=(1, 2)).mean()
    loss = nll / n + kl_divergence(post, prior).sum(dim=1).mean() / n
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    x, y = curves(1, 20)
    dist, _, _ = model(x[:, :5], y[:, :5], x)
    print(loss.item(), (dist.mean - y).abs().mean().item())
