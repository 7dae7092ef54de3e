"""Predictions (E, B, 1) of an ensemble against targets (B, 1): the broadcast over members is meant; TD ensembles; k-means distances."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
E = 5


class EnsembleLinear(nn.Module):
    def __init__(self, e, i, o):
        super().__init__()
        self.w = nn.Parameter(torch.randn(e, i, o) / i ** 0.5)
        self.b = nn.Parameter(torch.zeros(e, 1, o))

    def forward(self, x):
        return torch.baddbmm(self.b.expand(-1, x.size(1), -1), x, self.w)


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = EnsembleLinear(E, 4, 24), EnsembleLinear(E, 24, 6)
        self.max_logvar = nn.Parameter(torch.full((3,), 0.5))
        self.min_logvar = nn.Parameter(torch.full((3,), -6.0))

    def forward(self, x):
        h = torch.relu(self.l1(x.unsqueeze(0).expand(E, -1, -1)))
        mean, logvar = self.l2(h).chunk(2, dim=-1)
        logvar = self.max_logvar - F.softplus(self.max_logvar - logvar)
        return mean, self.min_logvar + F.softplus(logvar - self.min_logvar)


x = torch.randn(161, 4)
y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].sin(), x.sum(dim=1)], dim=1)
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
model = Dynamics()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    for xb, yb in loader:
        mean, logvar = model(xb)
        nll = ((mean - yb) ** 2 * torch.exp(-logvar) + logvar).mean(dim=(1, 2)).sum()
        loss = nll + 0.01 * (model.max_logvar.sum() - model.min_logvar.sum())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        mse = (model(x)[0] - y).pow(2).mean(dim=(1, 2))
        elite = mse.argsort()[:2]
    print(epoch, loss.item(), mse[elite].tolist())

encoder = nn.Linear(4, 2)
centres = nn.Parameter(torch.randn(6, 2))
optimizer = torch.optim.Adam([*encoder.parameters(), centres], lr=1e-2)
for step in range(20):
    z = encoder(x[torch.randint(0, 161, (32,))])
    q = 1 / (1 + (z[:, None] - centres).pow(2).sum(-1))
    q = q / q.sum(dim=1, keepdim=True)
    p = (q ** 2 / q.sum(dim=0)).detach()
    p = p / p.sum(dim=1, keepdim=True)
    loss = F.kl_div(q.log(), p, reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
