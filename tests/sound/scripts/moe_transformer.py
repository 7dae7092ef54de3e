"""Mixture of experts: top-k gating, softmax over the chosen experts, load-balance loss over the batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class MoE(nn.Module):
    def __init__(self, dim, experts=4, k=2):
        super().__init__()
        self.k, self.n = k, experts
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim)) for _ in range(experts)])

    def forward(self, x):
        b, t, d = x.shape
        flat = x.reshape(-1, d)
        logits = self.gate(flat)
        weight, chosen = logits.topk(self.k, dim=-1)
        weight = weight.softmax(dim=-1)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            token, slot = torch.where(chosen == i)
            if token.numel() == 0:
                continue
            out.index_add_(0, token, weight[token, slot, None] * expert(flat[token]))
        probs = logits.softmax(dim=-1)
        share = F.one_hot(chosen[:, 0], self.n).float().mean(dim=0)
        aux = self.n * (share * probs.mean(dim=0)).sum()
        return out.view(b, t, d), aux


class Block(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = nn.MultiheadAttention(dim, 4, batch_first=True)
        self.moe = MoE(dim)

    def forward(self, x):
        h = self.n1(x)
        x = x + self.att(h, h, h)[0]
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class Net(nn.Module):
    def __init__(self, vocab=30, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(10, dim)
        self.blocks = nn.ModuleList([Block(dim) for _ in range(2)])
        self.head = nn.Linear(dim, 3)

    def forward(self, ids):
        x = self.emb(ids) + self.pos(torch.arange(ids.size(1)))
        total = 0.0
        for block in self.blocks:
            x, aux = block(x)
            total = total + aux
        return self.head(x.mean(dim=1)), total


ids = torch.randint(0, 30, (90, 10))
y = ids.sum(dim=1) % 3
loader = DataLoader(TensorDataset(ids, y), batch_size=16, shuffle=True)
model = Net()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(2):
    correct = 0
    for x, t in loader:
        logits, aux = model(x)
        loss = F.cross_entropy(logits, t) + 0.01 * aux
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        correct += (logits.argmax(-1) == t).sum().item()
    print(epoch, loss.item(), correct / len(y))
