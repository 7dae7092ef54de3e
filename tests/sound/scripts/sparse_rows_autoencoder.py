"""Rows with many trailing zeros that are data: word counts with a Poisson loss, sprites, a copy task whose target is its input."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rates = torch.rand(4, 30) * torch.linspace(3, 0.02, 30)
topic = torch.randint(0, 4, (101,))
counts = torch.poisson(rates[topic])
loader = DataLoader(TensorDataset(counts), batch_size=20, shuffle=True)


class ProdLDA(nn.Module):
    def __init__(self, k=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(30, 32), nn.Softplus(), nn.Linear(32, 2 * k))
        self.beta = nn.Linear(k, 30, bias=False)

    def forward(self, x):
        mu, logvar = self.enc(torch.log1p(x)).chunk(2, dim=1)
        theta = F.softmax(mu + torch.randn_like(mu) * (0.5 * logvar).exp(), dim=1)
        return self.beta(theta), mu, logvar


model = ProdLDA()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(4):
    for (x,) in loader:
        log_rate, mu, logvar = model(x)
        nll = F.poisson_nll_loss(log_rate, x, log_input=True, reduction="none").sum(dim=1)
        kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum(dim=1)
        loss = (nll + kl).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("counts", epoch, loss.item())


class SeqAutoencoder(nn.Module):
    def __init__(self, v=12, d=24):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.enc, self.dec = nn.LSTM(d, d, batch_first=True), nn.LSTM(d, d, batch_first=True)
        self.out = nn.Linear(d, v)

    def forward(self, x):
        _, (h, _) = self.enc(self.emb(x))
        z = h[-1].unsqueeze(1).repeat(1, x.size(1), 1)
        return self.out(self.dec(z)[0])


ids = torch.randint(0, 12, (64, 7))
ids[::5, -1] = 0
net = SeqAutoencoder()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(3):
    for (x,) in DataLoader(TensorDataset(ids), batch_size=16, shuffle=True):
        logits = net(x)
        loss = F.cross_entropy(logits.transpose(1, 2), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("copy", epoch, loss.item(), (logits.argmax(-1) == x).all(dim=1).float().mean().item())
