import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
PAD, MASK, V, D = 0, 1, 40, 24


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D, padding_idx=PAD)
        self.pos = nn.Embedding(32, D)
        self.layer = nn.TransformerEncoderLayer(D, 4, 48, dropout=0.0, batch_first=True)
        self.mha = nn.MultiheadAttention(D, 4, batch_first=True)
        self.q = nn.Parameter(torch.randn(D))
        self.mlm, self.cls = nn.Linear(D, V), nn.Linear(D, 3)

    def forward(self, ids):
        keep = ids != PAD
        x = self.emb(ids) + self.pos(torch.arange(ids.size(1)))
        x = self.layer(x, src_key_padding_mask=~keep)
        x = x + self.mha(x, x, x, key_padding_mask=keep.logical_not(), need_weights=False)[0]
        h = F.scaled_dot_product_attention(x, x, x, attn_mask=keep.unsqueeze(1).expand(-1, ids.size(1), -1))
        score = torch.where(keep, h @ self.q, torch.full_like(h[..., 0], -1e9)).softmax(dim=1)
        bias = (1.0 - keep.float()) * -1e4
        score = score + (h @ self.q + bias).softmax(dim=1)
        pooled = torch.einsum("bt,btd->bd", score, h)
        best = h.masked_fill(~keep.unsqueeze(-1), float("-inf")).max(dim=1).values
        return self.mlm(h), self.cls(pooled + best)


model = Encoder()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(20):
    y = torch.randint(0, 3, (12,))
    rows = [torch.randint(2 + 10 * int(c), 14 + 10 * int(c), (int(n),)) for c, n in zip(y, torch.randint(4, 14, (12,)))]
    ids = pad_sequence(rows, batch_first=True, padding_value=PAD)
    chosen = (torch.rand(ids.shape) < 0.2) & (ids != PAD)
    labels = ids.masked_fill(~chosen, -100)
    logits, cls = model(ids.masked_fill(chosen, MASK))
    loss = F.cross_entropy(cls, y)
    if chosen.any():
        loss = loss + F.cross_entropy(logits.transpose(1, 2), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step + 1, round(loss.item(), 4))
