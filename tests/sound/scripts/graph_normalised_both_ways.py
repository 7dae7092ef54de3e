"""Adjacencies normalised by rows, by columns and on both sides, a softmax written out, and a cosine classifier."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


def symmetric(adj):
    degree = adj.sum(dim=1).pow(-0.5)
    return adj * degree * degree[:, None]


class Graph(nn.Module):
    def __init__(self, f=5, h=12, classes=3):
        super().__init__()
        self.one, self.two, self.score = nn.Linear(f, h), nn.Linear(h, h), nn.Linear(h, h)
        self.weight = nn.Parameter(torch.randn(classes, h))

    def forward(self, adj, x):
        adj = adj + torch.eye(len(adj))
        h = torch.relu(symmetric(adj) @ self.one(x))
        h = torch.relu((adj / adj.sum(dim=1, keepdim=True)) @ self.two(h))
        e = torch.exp((self.score(h) @ h.t() / 12 ** 0.5).masked_fill(adj == 0, -30))
        h = h + (e / e.sum(dim=-1, keepdim=True)) @ h
        walk = adj / adj.sum(dim=0)
        rank = torch.full((len(adj),), 1 / len(adj))
        for _ in range(5):
            rank = 0.15 / len(adj) + 0.85 * walk @ rank
        pooled = (rank[:, None] * h).sum(0)
        return 8 * F.linear(F.normalize(pooled, dim=0)[None], F.normalize(self.weight, dim=1))


net = Graph()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
graphs = []
for k in range(30):
    adj = (torch.rand(9, 9) < 0.3).float()
    graphs.append((((adj + adj.t()) > 0).float(), torch.randn(9, 5), torch.tensor([k % 3])))
for epoch in range(2):
    for adj, x, y in graphs:
        loss = F.cross_entropy(net(adj, x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4))
