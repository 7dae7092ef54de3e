"""Stages: masked-patch pre-training with gathered indices, features cached in one pass over the set, then a head on the cached features and kNN."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
P, N = 4, 16


class MAE(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.embed, self.pos = nn.Linear(P * P, d), nn.Parameter(0.02 * torch.randn(1, N, d))
        self.enc = nn.TransformerEncoderLayer(d, 4, 48, dropout=0.0, batch_first=True)
        self.dec = nn.TransformerEncoderLayer(d, 4, 48, dropout=0.0, batch_first=True)
        self.mask_token, self.out = nn.Parameter(torch.zeros(1, 1, d)), nn.Linear(d, P * P)

    @staticmethod
    def patchify(x):
        b = x.size(0)
        return x.unfold(2, P, P).unfold(3, P, P).reshape(b, N, P * P)

    def encode(self, x):
        return self.enc(self.embed(self.patchify(x)) + self.pos).mean(dim=1)

    def forward(self, x, ratio=0.5):
        patches = self.patchify(x)
        b, keep = x.size(0), int(N * (1 - ratio))
        shuffle = torch.rand(b, N).argsort(dim=1)
        restore = shuffle.argsort(dim=1)
        h = self.embed(patches) + self.pos
        kept = h.gather(1, shuffle[:, :keep, None].expand(-1, -1, h.size(2)))
        z = self.enc(kept)
        full = torch.cat([z, self.mask_token.expand(b, N - keep, -1)], dim=1)
        full = full.gather(1, restore[..., None].expand(-1, -1, h.size(2))) + self.pos
        mask = torch.ones(b, N)
        mask[:, :keep] = 0
        mask = mask.gather(1, restore)
        error = (self.out(self.dec(full)) - patches).pow(2).mean(dim=-1)
        return (error * mask).sum() / mask.sum()


y = torch.randint(0, 4, (121,))
x = torch.randn(4, 1, 16, 16).cumsum(3)[y] / 4 + 0.3 * torch.randn(121, 1, 16, 16)
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = MAE()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(2):
    for xb, _ in loader:
        loss = model(xb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("mae", epoch, loss.item())
model.eval()
features, labels = [], []
with torch.no_grad():
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=20):
        features.append(model.encode(xb))
        labels.append(yb)
features, labels = torch.cat(features), torch.cat(labels)
features = (features - features.mean(0)) / features.std(0)
head = nn.Linear(24, 4)
optimizer = torch.optim.SGD(head.parameters(), lr=0.5)
for step in range(30):
    loss = F.cross_entropy(head(features), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
near = torch.cdist(features, features).fill_diagonal_(float("inf")).topk(5, largest=False).indices
vote = labels[near].mode(dim=1).values
print(loss.item(), (vote == labels).float().mean().item(), features.shape == (121, 24))
