"""SAINT: attention across the rows of a batch, on purpose and by name; feature tokens; contrastive pre-training; then a classifier."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class RowColumnBlock(nn.Module):
    def __init__(self, features, dim, heads=2):
        super().__init__()
        self.col = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.intersample = nn.MultiheadAttention(dim * features, heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim * features)

    def forward(self, x):
        b, f, d = x.shape
        x = self.n1(x + self.col(x, x, x, need_weights=False)[0])
        rows = x.reshape(1, b, f * d)
        rows = self.n2(rows + self.intersample(rows, rows, rows, need_weights=False)[0])
        return rows.reshape(b, f, d)


class SAINT(nn.Module):
    def __init__(self, features=5, dim=8, classes=2):
        super().__init__()
        self.scale, self.shift = nn.Parameter(torch.randn(features, dim)), nn.Parameter(torch.zeros(features, dim))
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.block = RowColumnBlock(features + 1, dim)
        self.proj, self.head = nn.Linear(dim, dim), nn.Linear(dim, classes)

    def embed(self, x):
        tokens = x.unsqueeze(-1) * self.scale + self.shift
        return torch.cat([self.cls.expand(x.size(0), -1, -1), tokens], dim=1)

    def forward(self, x):
        return self.block(self.embed(x))[:, 0]


x = torch.randn(130, 5)
y = (x[:, 0] * x[:, 1] + x[:, 2] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True, drop_last=True)
model = SAINT()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(2):
    for xb, _ in loader:
        mask = torch.rand_like(xb) < 0.2
        other = torch.where(mask, xb[torch.randperm(len(xb))], xb)
        a, b = (F.normalize(model.proj(model(v)), dim=-1) for v in (xb, other))
        logits = a @ b.t() / 0.2
        loss = F.cross_entropy(logits, torch.arange(len(xb)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("pre", epoch, loss.item())
for epoch in range(3):
    hits = n = 0
    for xb, yb in loader:
        out = model.head(model(xb))
        loss = F.cross_entropy(out, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits, n = hits + (out.argmax(1) == yb).sum().item(), n + len(yb)
    print("fit", epoch, loss.item(), hits / n)
