"""Factorisation machine and a deep part: sum-square minus square-sum, field offsets, BCE on logits, ROC AUC by ranks."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
FIELDS = (10, 7, 5)


class DeepFM(nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        total = sum(FIELDS)
        self.register_buffer("offsets", torch.tensor([0, *torch.tensor(FIELDS).cumsum(0)[:-1].tolist()]))
        self.emb, self.lin = nn.Embedding(total, dim), nn.Embedding(total, 1)
        self.bias = nn.Parameter(torch.zeros(1))
        self.mlp = nn.Sequential(nn.Linear(dim * len(FIELDS) + 2, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, cat, num):
        cat = cat + self.offsets
        v = self.emb(cat)
        fm = 0.5 * (v.sum(dim=1).pow(2) - v.pow(2).sum(dim=1)).sum(dim=1, keepdim=True)
        linear = self.bias + self.lin(cat).sum(dim=1)
        deep = self.mlp(torch.cat([v.flatten(1), num], dim=1))
        return (linear + fm + deep).squeeze(1)


n = 301
cat = torch.stack([torch.randint(0, f, (n,)) for f in FIELDS], dim=1)
num = torch.randn(n, 2)
y = ((cat[:, 0] % 3 == cat[:, 1] % 3).float() + num[:, 0] > 0.5).float()
train, test = random_split(TensorDataset(cat, num, y), [241, 60])
loader = DataLoader(train, batch_size=48, shuffle=True)
model = DeepFM()
optimizer = torch.optim.Adagrad([
    {"params": [model.emb.weight, model.lin.weight], "lr": 0.1},
    {"params": [model.bias, *model.mlp.parameters()], "lr": 0.02},
])
criterion = nn.BCEWithLogitsLoss(pos_weight=(1 - y).sum() / y.sum())
for epoch in range(4):
    for c, x, t in loader:
        loss = criterion(model(c, x), t)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        c, x, t = (torch.stack(z) for z in zip(*test))
        p = torch.sigmoid(model(c, x))
        pos, neg = p[t == 1], p[t == 0]
        auc = (pos[:, None] > neg[None, :]).float().mean()
    model.train()
    print(epoch, loss.item(), auc.item())
