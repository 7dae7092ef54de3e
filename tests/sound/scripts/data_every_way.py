"""Data sets that cache, copy and count; loaders in order for a reason; splits with their own transforms; folds with new models."""
import copy
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, WeightedRandomSampler, random_split

torch.manual_seed(0)
np.random.seed(0)


class Cached(Dataset):
    def __init__(self, n, transform=None):
        self.raw = np.random.randn(n, 5).astype(np.float32)
        self.cache = np.zeros((n, 5), dtype=np.float32)
        self.ready = np.zeros(n)
        self.reads = 0
        self.transform = transform

    def __len__(self):
        return len(self.raw)

    def __getitem__(self, i):
        self.reads += 1
        if not self.ready[i]:
            self.cache[i] = self.raw[i] / (1 + np.abs(self.raw[i]).max())
            self.ready[i] = 1
        row = self.cache[i].copy()
        row[np.random.randint(5)] = 0
        row = torch.from_numpy(row)
        return (self.transform(row) if self.transform else row), torch.tensor(float(self.raw[i].sum() > 0))


full = Cached(64, transform=lambda row: row + 0.01)
train_part, val_part = random_split(full, [48, 16])
val_part.dataset = copy.copy(full)
val_part.dataset.transform = None
labels = np.array([full[i][1].item() for i in train_part.indices])
weights = (1.0 / np.bincount(labels.astype(int)))[labels.astype(int)]
sampler = WeightedRandomSampler(torch.as_tensor(weights), len(weights))
model = nn.Linear(5, 1)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
bce = nn.BCEWithLogitsLoss()
for epoch in range(2):
    hits = count = 0
    for rows, goals in DataLoader(train_part, batch_size=12, sampler=sampler):
        scores = model(rows).squeeze(1)
        loss = bce(scores, goals)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += ((scores > 0).float() == goals).sum().item()
        count += len(goals)
    with torch.no_grad():
        val_hits = sum(((model(r).squeeze(1) > 0).float() == g).sum().item() for r, g in DataLoader(val_part, batch_size=8))
    print(epoch, hits / count, 100.0 * val_hits / len(val_part))

# one subject after the other, in order of time: the state is carried along
series = torch.sin(torch.arange(0, 40, 0.5))
rnn, head = nn.GRU(1, 8, batch_first=True), nn.Linear(8, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=1e-2)
loader = DataLoader(TensorDataset(series[:70].view(7, 10, 1), series[1:71].view(7, 10, 1)), batch_size=1)
for epoch in range(2):
    state = None
    for xs, ys in loader:
        out, state = rnn(xs, state)
        loss = nn.functional.mse_loss(head(out), ys)
        opt.zero_grad()
        loss.backward()
        opt.step()
        state = state.detach()
    print("series", epoch, loss.item())

# folds: a new model each, or one that is set back
x, y = torch.randn(60, 5), torch.randint(0, 2, (60,))
for fold, held in enumerate(torch.arange(60).chunk(3)):
    rest = torch.tensor([i for i in range(60) if i not in held.tolist()])
    net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    train_loader = DataLoader(Subset(TensorDataset(x, y), rest.tolist()), batch_size=10, shuffle=True)
    val_loader = DataLoader(Subset(TensorDataset(x, y), held.tolist()), batch_size=10)
    best_acc = 0.0
    for epoch in range(2):
        for rows, goals in train_loader:
            opt.zero_grad()
            nn.functional.cross_entropy(net(rows), goals).backward()
            opt.step()
        with torch.no_grad():
            val_acc = sum((net(r).argmax(1) == g).sum().item() for r, g in val_loader) / len(val_loader.dataset)
            train_acc = sum((net(r).argmax(1) == g).float().mean().item() for r, g in train_loader) / len(train_loader)
        if val_acc > best_acc:
            best_acc = val_acc
    print("fold", fold, best_acc, train_acc)

# pairs coded as -1 and 1, smooth targets, several labels at once
a, b = nn.Linear(5, 4), nn.Linear(5, 3)
opt = torch.optim.Adam([*a.parameters(), *b.parameters()], lr=1e-2)
for step in range(3):
    opt.zero_grad()
    same = torch.where(torch.rand(12) < 0.5, 1.0, -1.0)
    loss = nn.CosineEmbeddingLoss(0.2)(a(x[:12]), a(x[12:24]), same)
    loss = loss + nn.MarginRankingLoss(1.0)(b(x[:12])[:, 0], b(x[:12])[:, 1], torch.ones(12))
    loss = loss + nn.BCEWithLogitsLoss()(b(x[:12]), torch.full((12, 3), 0.9))
    loss.backward()
    if step < 2:
        nn.utils.clip_grad_value_(a.parameters(), 0.1)
    opt.step()
    print("pairs", loss.item())
