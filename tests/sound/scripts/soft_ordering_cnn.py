"""Tabular 1-D CNN on features that a linear layer orders; ECA channel attention; MLP-Mixer over tokens."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class SoftOrdering(nn.Module):
    def __init__(self, n=10, c=4, length=16):
        super().__init__()
        self.c, self.length = c, length
        self.expand = nn.Sequential(nn.BatchNorm1d(n), nn.Linear(n, c * length), nn.CELU())
        self.conv = nn.Sequential(nn.Conv1d(c, 8, 5, padding=2), nn.ReLU(), nn.AvgPool1d(2), nn.Conv1d(8, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool1d(4))
        self.out = nn.Linear(32, 3)

    def forward(self, x):
        h = self.expand(x).reshape(x.size(0), self.c, self.length)
        return self.out(self.conv(h).flatten(1))


class ECA(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.conv = nn.Conv1d(1, 1, k, padding=k // 2, bias=False)

    def forward(self, x):
        y = x.mean(dim=(2, 3), keepdim=True)
        y = self.conv(y.squeeze(-1).transpose(-1, -2)).transpose(-1, -2).unsqueeze(-1)
        return x * y.sigmoid()


class Mixer(nn.Module):
    def __init__(self, tokens=16, dim=12, classes=3):
        super().__init__()
        self.embed = nn.Conv2d(1, dim, 4, 4)
        self.eca = ECA()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.token = nn.Sequential(nn.Linear(tokens, 24), nn.GELU(), nn.Linear(24, tokens))
        self.channel = nn.Sequential(nn.Linear(dim, 24), nn.GELU(), nn.Linear(24, dim))
        self.mix = nn.Conv1d(tokens, tokens, 1)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        h = self.eca(self.embed(x)).flatten(2).transpose(1, 2)
        h = h + self.token(self.n1(h).transpose(1, 2)).transpose(1, 2)
        h = h + self.channel(self.n2(h))
        h = h + self.mix(h)
        return self.head(h.mean(dim=1))


y = torch.randint(0, 3, (97,))
for net, x in ((SoftOrdering(), torch.randn(3, 10)[y] + 0.5 * torch.randn(97, 10)), (Mixer(), torch.randn(3, 1, 16, 16)[y] + torch.randn(97, 1, 16, 16))):
    loader = DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True, drop_last=True)
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(3):
        net.train()
        for xb, yb in loader:
            loss = F.cross_entropy(net(xb), yb, label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            print(type(net).__name__, epoch, loss.item(), (net(x).argmax(1) == y).float().mean().item())
