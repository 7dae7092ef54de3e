import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class MoE(nn.Module):
    def __init__(self, dim=24, experts=4, k=2):
        super().__init__()
        self.router = nn.Linear(dim, experts)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, dim)) for _ in range(experts)])
        self.k = k

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        probs = self.router(x).softmax(dim=-1)
        w, idx = probs.topk(self.k, dim=-1)
        w = w / w.sum(dim=-1, keepdim=True)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            tok, slot = (idx == e).nonzero(as_tuple=True)
            if tok.numel():
                out.index_add_(0, tok, w[tok, slot, None] * expert(x[tok]))
        load = F.one_hot(idx[:, 0], len(self.experts)).float().mean(dim=0)
        aux = len(self.experts) * (load * probs.mean(dim=0)).sum()
        return out.view(shape), aux


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(6, 24)
        self.attn = nn.MultiheadAttention(24, 4, batch_first=True)
        self.moe = MoE()
        self.norm = nn.LayerNorm(24)
        self.seed = nn.Parameter(torch.randn(1, 2, 24))
        self.head = nn.Linear(48, 3)

    def forward(self, x, lengths):
        pad = torch.arange(x.size(1))[None, :] >= lengths[:, None]
        h = self.embed(x)
        h = h + self.attn(h, h, h, key_padding_mask=pad, need_weights=False)[0]
        m, aux = self.moe(self.norm(h))
        h = h + m
        pooled, _ = self.attn(self.seed.expand(x.size(0), -1, -1), h, h, key_padding_mask=pad)
        return self.head(pooled.flatten(1)), aux


torch.manual_seed(0)
lengths = torch.randint(4, 13, (160,))
y = torch.randint(0, 3, (160,))
x = torch.randn(160, 12, 6) + y[:, None, None].float()
x = x * (torch.arange(12)[None, :, None] < lengths[:, None, None])
model = Model()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    model.train()
    for xb, lb, yb in DataLoader(TensorDataset(x, lengths, y), batch_size=24, shuffle=True):
        logits, aux = model(xb, lb)
        loss = F.cross_entropy(logits, yb) + 0.01 * aux
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))
