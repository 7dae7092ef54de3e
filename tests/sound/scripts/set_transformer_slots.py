"""Set Transformer pooling by learned seeds and slot attention: a softmax over slots on purpose."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class PMA(nn.Module):
    def __init__(self, dim, seeds, heads=4):
        super().__init__()
        self.S = nn.Parameter(torch.randn(1, seeds, dim) * 0.1)
        self.att = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.ln = nn.LayerNorm(dim)

    def forward(self, x):
        q = self.S.repeat(x.size(0), 1, 1)
        return self.ln(q + self.att(q, x, x, need_weights=False)[0])


class SlotAttention(nn.Module):
    def __init__(self, dim, slots=4, iters=3, eps=1e-8):
        super().__init__()
        self.slots, self.iters, self.eps, self.scale = slots, iters, eps, dim ** -0.5
        self.mu = nn.Parameter(torch.randn(1, 1, dim))
        self.log_sigma = nn.Parameter(torch.zeros(1, 1, dim))
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.gru = nn.GRUCell(dim, dim)
        self.norm_in, self.norm_slots = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        b, n, d = x.shape
        x = self.norm_in(x)
        k, v = self.k(x), self.v(x)
        slots = self.mu + self.log_sigma.exp() * torch.randn(b, self.slots, d)
        for _ in range(self.iters):
            prev = slots
            q = self.q(self.norm_slots(slots))
            dots = torch.einsum("bid,bjd->bij", q, k) * self.scale
            att = dots.softmax(dim=1) + self.eps
            att = att / att.sum(dim=-1, keepdim=True)
            updates = torch.einsum("bjd,bij->bid", v, att)
            slots = self.gru(updates.reshape(-1, d), prev.reshape(-1, d)).reshape(b, -1, d)
        return slots


class Model(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(2, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.slot, self.pool = SlotAttention(dim), PMA(dim, 2)
        self.decode = nn.Linear(dim, 2)
        self.count = nn.Linear(2 * dim, 5)

    def forward(self, x):
        h = self.embed(x)
        return self.decode(self.slot(h)), self.count(self.pool(h).flatten(1))


def chamfer(a, b):
    d = torch.cdist(a, b)
    return d.min(dim=2).values.mean() + d.min(dim=1).values.mean()


k = torch.randint(0, 5, (100,))
points = torch.randn(100, 12, 2) + k[:, None, None].float()
loader = DataLoader(TensorDataset(points, k), batch_size=16, shuffle=True)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    for x, y in loader:
        slots, logits = model(x)
        loss = chamfer(slots, x) + F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
