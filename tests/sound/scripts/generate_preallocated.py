"""Decoding into a preallocated tensor with finished rows; beam search; a KL-regularised fine-tune against a frozen copy; perplexity over ragged chunks."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
V, BOS, EOS, PAD = 15, 1, 2, 0


class TinyLM(nn.Module):
    def __init__(self, d=24, longest=20):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, d), nn.Parameter(torch.zeros(longest, d))
        self.block = nn.TransformerEncoderLayer(d, 4, 48, dropout=0.0, batch_first=True, activation="gelu")
        self.out = nn.Linear(d, V)

    def forward(self, ids):
        T = ids.size(1)
        mask = torch.full((T, T), float("-inf")).triu(1)
        return self.out(self.block(self.tok(ids) + self.pos[:T], src_mask=mask))


@torch.inference_mode()
def sample(model, n, longest=10):
    model.eval()
    ids = torch.full((n, longest + 1), PAD)
    ids[:, 0] = BOS
    alive = torch.ones(n, dtype=torch.bool)
    for t in range(longest):
        logits = model(ids[:, :t + 1])[:, -1]
        logits[:, PAD] = float("-inf")
        nxt = torch.multinomial(logits.softmax(-1), 1).squeeze(-1)
        ids[alive, t + 1] = nxt[alive]
        alive = alive & (nxt != EOS)
        if not alive.any():
            break
    return ids


@torch.no_grad()
def beam(model, width=3, longest=8):
    beams = [(0.0, [BOS])]
    for _ in range(longest):
        grown = []
        for score, seq in beams:
            if seq[-1] == EOS:
                grown.append((score, seq))
                continue
            logp = model(torch.tensor([seq]))[0, -1].log_softmax(dim=-1)
            for value, index in zip(*logp.topk(width)):
                grown.append((score + value.item(), seq + [index.item()]))
        beams = sorted(grown, key=lambda b: b[0] / len(b[1]), reverse=True)[:width]
    return beams[0][1]


rows = []
for _ in range(60):
    k = int(torch.randint(3, 9, (1,)))
    start = int(torch.randint(3, V, (1,)))
    rows.append(torch.tensor([BOS] + [3 + (start + i) % (V - 3) for i in range(k)] + [EOS]))
longest = max(map(len, rows))
ids = torch.full((60, longest), PAD)
for i, r in enumerate(rows):
    ids[i, :len(r)] = r
model = TinyLM()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
for epoch in range(3):
    model.train()
    total = tokens = 0
    for chunk in ids[torch.randperm(60)].split(16):
        x, y = chunk[:, :-1], chunk[:, 1:]
        loss = F.cross_entropy(model(x).transpose(1, 2), y, ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        n = (y != PAD).sum().item()
        total, tokens = total + loss.item() * n, tokens + n
    print(epoch, math.exp(total / tokens))
reference = copy.deepcopy(model).eval()
for p in reference.parameters():
    p.requires_grad = False
drawn = sample(model, 12)
model.train()
for step in range(3):
    x, y = drawn[:, :-1].clone(), drawn[:, 1:].clone()
    keep = (y != PAD).float()
    logp, ref = model(x).log_softmax(-1), reference(x).log_softmax(-1)
    reward = (y % 2 == 0).float().mul(keep).sum(1) / keep.sum(1)
    policy = -((reward - reward.mean())[:, None] * logp.gather(2, y[..., None]).squeeze(2) * keep).sum() / keep.sum()
    kl = ((logp.exp() * (logp - ref)).sum(-1) * keep).sum() / keep.sum()
    optimizer.zero_grad()
    (policy + 0.1 * kl).backward()
    optimizer.step()
model.eval()
print(beam(model), kl.item())
