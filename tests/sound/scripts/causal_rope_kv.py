"""Decoder-only language model: RMSNorm, RoPE, causal mask, tied weights, generation with a KV cache."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
VOCAB, DIM, HEADS, CTX = 26, 32, 4, 24


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.g = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.g * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rope(x, start):
    half = x.size(-1) // 2
    t = torch.arange(start, start + x.size(-2))
    angle = t[:, None] * (10000.0 ** (-torch.arange(half) / half))[None, :]
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q, k, v = (z.view(B, T, HEADS, -1).transpose(1, 2) for z in self.qkv(x).chunk(3, dim=-1))
        past = 0 if cache is None else cache[0].size(2)
        q, k = rope(q, past), rope(k, past)
        if cache is not None:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        scores = q @ k.transpose(-2, -1) / (DIM // HEADS) ** 0.5
        allowed = torch.ones(T, k.size(2), dtype=torch.bool).tril(diagonal=past)
        scores = scores.masked_fill(~allowed, float("-inf"))
        y = scores.softmax(dim=-1) @ v
        return self.o(y.transpose(1, 2).contiguous().view(B, T, DIM)), (k, v)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2, self.att = RMSNorm(DIM), RMSNorm(DIM), Attention()
        self.gate, self.up, self.down = nn.Linear(DIM, 64), nn.Linear(DIM, 64), nn.Linear(64, DIM)

    def forward(self, x, cache=None):
        a, cache = self.att(self.n1(x), cache)
        x = x + a
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h)), cache


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.norm = RMSNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB, bias=False)
        self.head.weight = self.emb.weight

    def forward(self, ids, caches=None, targets=None):
        x, new = self.emb(ids), []
        for i, block in enumerate(self.blocks):
            x, c = block(x, None if caches is None else caches[i])
            new.append(c)
        logits = self.head(self.norm(x))
        loss = None if targets is None else F.cross_entropy(logits.view(-1, VOCAB), targets.view(-1))
        return logits, loss, new


text = torch.arange(2000) * 7 % VOCAB
model = LM()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95))
for step in range(20):
    ix = torch.randint(len(text) - CTX - 1, (12,))
    x = torch.stack([text[i:i + CTX] for i in ix])
    y = torch.stack([text[i + 1:i + CTX + 1] for i in ix])
    _, loss, _ = model(x, targets=y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    ids, caches, nxt = text[None, :4], None, text[None, :4]
    for _ in range(8):
        logits, _, caches = model(nxt, caches)
        nxt = torch.multinomial(F.softmax(logits[:, -1, :], dim=-1), num_samples=1)
        ids = torch.cat([ids, nxt], dim=1)
print(loss.item(), ids.tolist())
