"""One graph, all nodes at once: neighbours are meant to mix."""
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
n = 30
adj = (torch.rand(n, n) < 0.15).float()
adj = ((adj + adj.t()) > 0).float() + torch.eye(n)
norm = adj / adj.sum(1, keepdim=True)


class GCN(nn.Module):
    def __init__(self, adj):
        super().__init__()
        self.register_buffer("adj", adj)
        self.a, self.b = nn.Linear(5, 16), nn.Linear(16, 3)

    def forward(self, x):
        x = F.relu(self.adj @ self.a(x))
        x = F.dropout(x, 0.5, training=self.training)
        return self.adj @ self.b(x)


class GAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.att = nn.Linear(5, 8), nn.Linear(16, 1)
        self.out = nn.Linear(8, 3)

    def forward(self, x, adj):
        h = self.lin(x)
        pairs = torch.cat([h[:, None].expand(-1, len(h), -1), h[None].expand(len(h), -1, -1)], dim=-1)
        e = self.att(pairs).squeeze(-1).masked_fill(adj == 0, float("-inf"))
        return self.out(torch.softmax(e, dim=1) @ h)


class PairNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.out = nn.Linear(5, 8), nn.Linear(8, 3)

    def forward(self, x, edge_index):
        h = self.lin(x)
        src, dst = edge_index
        h = h.index_add(0, dst, h[src])
        h = h - h.mean(dim=0)
        h = h / h.pow(2).sum(1).mean().sqrt()
        return self.out(h)


x, y = torch.randn(n, 5), torch.randint(0, 3, (n,))
edges = adj.nonzero().t()
for model, given in ((GCN(norm), ()), (GAT(), (adj,)), (PairNorm(), (edges,))):
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(4):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, *given)[:20], y[:20])
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            acc = (model(x, *given)[20:].argmax(1) == y[20:]).float().mean()
    print(acc.item())
