"""Skip-gram with negative sampling: noise from a unigram table, batched dot products by bmm, nearest neighbours."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
V, DIM, K = 50, 16, 5
corpus = [(torch.randint(0, 10, (12,)) + 10 * g).tolist() for g in range(5) for _ in range(6)]
pairs = [(s[i], s[j]) for s in corpus for i in range(len(s)) for j in range(max(0, i - 2), min(len(s), i + 3)) if i != j]
counts = torch.bincount(torch.tensor([w for s in corpus for w in s]), minlength=V).float()
noise = counts.pow(0.75) / counts.pow(0.75).sum()


class SkipGram(nn.Module):
    def __init__(self):
        super().__init__()
        self.center, self.context = nn.Embedding(V, DIM, sparse=True), nn.Embedding(V, DIM, sparse=True)
        nn.init.uniform_(self.center.weight, -0.5 / DIM, 0.5 / DIM)
        nn.init.zeros_(self.context.weight)

    def forward(self, c, pos, neg):
        c = self.center(c)
        p = (c * self.context(pos)).sum(dim=1)
        n = torch.bmm(self.context(neg), c.unsqueeze(2)).squeeze(2)
        return -(F.logsigmoid(p) + F.logsigmoid(-n).sum(dim=1)).mean()


data = torch.tensor(pairs)
loader = DataLoader(TensorDataset(data[:, 0], data[:, 1]), batch_size=64, shuffle=True)
model = SkipGram()
optimizer = torch.optim.SparseAdam(list(model.parameters()), lr=0.01)
for epoch in range(3):
    total = 0.0
    for c, pos in loader:
        neg = torch.multinomial(noise, c.size(0) * K, replacement=True).view(c.size(0), K)
        loss = model(c, pos, neg)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * c.size(0)
    print(epoch, total / len(data))
with torch.no_grad():
    w = F.normalize(model.center.weight, dim=1)
    near = (w @ w[7]).topk(4).indices.tolist()
print("near 7:", near)
