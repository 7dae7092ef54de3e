"""Music Transformer: relative positions by the skew trick (pad, view, slice), sequence first."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
NOTES, T = 20, 16


class RelAttention(nn.Module):
    def __init__(self, dim, heads, longest):
        super().__init__()
        self.h, self.d = heads, dim // heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.Er = nn.Parameter(torch.randn(heads, longest, self.d) * 0.02)
        self.register_buffer("mask", torch.tril(torch.ones(longest, longest)))

    def split(self, x):
        t, b, _ = x.shape
        return x.reshape(t, b, self.h, self.d).permute(1, 2, 0, 3)

    @staticmethod
    def skew(s):
        b, h, t, _ = s.shape
        s = F.pad(s, (1, 0))
        return s.reshape(b, h, t + 1, t)[:, :, 1:, :]

    def forward(self, x):
        t, b, d = x.shape
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        rel = self.skew(torch.einsum("bhtd,hsd->bhts", q, self.Er[:, -t:]))
        att = (torch.einsum("bhtd,bhsd->bhts", q, k) + rel) / self.d ** 0.5
        att = att.masked_fill(self.mask[:t, :t] == 0, float("-inf")).softmax(dim=-1)
        out = torch.einsum("bhts,bhsd->tbhd", att, v)
        return self.o(out.reshape(t, b, d))


class Music(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(NOTES, dim)
        self.layers = nn.ModuleList([nn.ModuleDict({"a": RelAttention(dim, 4, T), "n": nn.LayerNorm(dim)}) for _ in range(2)])
        self.out = nn.Linear(dim, NOTES)

    def forward(self, x):
        h = self.emb(x)
        for layer in self.layers:
            h = layer["n"](h + layer["a"](h))
        return self.out(h)


class Tunes(Dataset):
    def __init__(self, n=70):
        start, step = torch.randint(0, NOTES, (n, 1)), torch.randint(1, 4, (n, 1))
        self.x = (start + step * torch.arange(T + 1)) % NOTES

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i, :-1], self.x[i, 1:]


def collate(pairs):
    x, y = zip(*pairs)
    return torch.stack(x, dim=1), torch.stack(y, dim=1)


loader = DataLoader(Tunes(), batch_size=16, shuffle=True, collate_fn=collate)
model = Music()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    hits = count = 0
    for x, y in loader:
        logits = model(x)
        loss = F.cross_entropy(logits.reshape(-1, NOTES), y.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(-1) == y).sum().item()
        count += y.numel()
    print(epoch, loss.item(), hits / count)
