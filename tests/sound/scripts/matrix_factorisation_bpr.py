"""Recommender: biases beside embeddings, BPR over sampled triples, then recall@k from a full score matrix."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
USERS, ITEMS = 40, 30
taste = torch.randn(USERS, 3) @ torch.randn(3, ITEMS)
seen = taste > taste.quantile(0.8, dim=1, keepdim=True)


class Triples(Dataset):
    def __init__(self, matrix):
        self.pairs, self.matrix = matrix.nonzero(), matrix

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        u, p = self.pairs[i]
        n = torch.randint(0, ITEMS, ())
        while self.matrix[u, n]:
            n = torch.randint(0, ITEMS, ())
        return u, p, n


class MF(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.u, self.i = nn.Embedding(USERS, dim), nn.Embedding(ITEMS, dim)
        self.bias = nn.Embedding(ITEMS, 1)
        nn.init.normal_(self.u.weight, std=0.1)
        nn.init.normal_(self.i.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, users, items):
        return (self.u(users) * self.i(items)).sum(dim=-1) + self.bias(items).squeeze(-1)

    def all_scores(self):
        return self.u.weight @ self.i.weight.t() + self.bias.weight.t()


loader = DataLoader(Triples(seen), batch_size=32, shuffle=True)
model = MF()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-2, weight_decay=1e-5)
for epoch in range(4):
    total = 0.0
    for users, pos, neg in loader:
        loss = -F.logsigmoid(model(users, pos) - model(users, neg)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(users)
    with torch.no_grad():
        top = model.all_scores().topk(5, dim=1).indices
        recall = seen.gather(1, top).float().sum() / seen.sum()
    print(epoch, total / len(loader.dataset), recall.item())
