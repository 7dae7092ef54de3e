import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
VOCAB, DIM, HEADS, T = 40, 32, 4, 16


def rope(x, base=100.0):
    d = x.size(-1)
    pos = torch.arange(x.size(-2)).float()
    freq = base ** (-torch.arange(0, d, 2).float() / d)
    ang = pos[:, None] * freq[None, :]
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).flatten(-2)


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.g = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.g


class GQA(nn.Module):
    def __init__(self, kv=2):
        super().__init__()
        self.kv, self.hd = kv, DIM // HEADS
        self.q = nn.Linear(DIM, DIM, bias=False)
        self.k = nn.Linear(DIM, kv * self.hd, bias=False)
        self.v = nn.Linear(DIM, kv * self.hd, bias=False)
        self.o = nn.Linear(DIM, DIM, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        q = rope(self.q(x).view(b, t, HEADS, self.hd).transpose(1, 2))
        k = rope(self.k(x).view(b, t, self.kv, self.hd).transpose(1, 2))
        v = self.v(x).view(b, t, self.kv, self.hd).transpose(1, 2)
        k, v = (z.repeat_interleave(HEADS // self.kv, dim=1) for z in (k, v))
        att = (q @ k.mT) / self.hd ** 0.5
        att = att.masked_fill(torch.ones(t, t).triu(1).bool(), float("-inf")).softmax(-1)
        return self.o((att @ v).transpose(1, 2).contiguous().view(b, t, -1))


class LM(nn.Module):
    def __init__(self, layers=2):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList([nn.ModuleList([RMSNorm(DIM), GQA(), RMSNorm(DIM), nn.Linear(DIM, 2 * 64), nn.Linear(64, DIM)]) for _ in range(layers)])
        self.norm = RMSNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, ids):
        x = self.emb(ids)
        for n1, att, n2, up, down in self.layers:
            x = x + att(n1(x))
            gate, val = up(n2(x)).chunk(2, dim=-1)
            x = x + down(F.silu(gate) * val)
        return self.head(self.norm(x))


model = LM()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 10))
for step in range(40):
    start, stride = torch.randint(0, VOCAB, (10, 1)), torch.randint(1, 4, (10, 1))
    seq = (start + stride * torch.arange(T + 1)) % VOCAB
    x, y = seq[:, :-1], seq[:, 1:]
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % 10 == 9:
        print(step + 1, round(loss.item(), 4))
