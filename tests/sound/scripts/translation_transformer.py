"""nn.Transformer, sequence first, with source and target masks, padding masks, sinusoidal positions, a warm-up schedule."""
import math

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
PAD, BOS, EOS, V = 0, 1, 2, 20


class PositionalEncoding(nn.Module):
    def __init__(self, dim, dropout=0.1, longest=50):
        super().__init__()
        pos = torch.arange(longest).unsqueeze(1)
        div = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        pe = torch.zeros(longest, 1, dim)
        pe[:, 0, 0::2] = torch.sin(pos * div)
        pe[:, 0, 1::2] = torch.cos(pos * div)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0)])


class Seq2Seq(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.dim = dim
        self.src, self.tgt = nn.Embedding(V, dim), nn.Embedding(V, dim)
        self.pos = PositionalEncoding(dim)
        self.core = nn.Transformer(dim, 4, 1, 1, 64, dropout=0.1)
        self.out = nn.Linear(dim, V)

    def forward(self, src, tgt):
        mask = self.core.generate_square_subsequent_mask(tgt.size(0))
        src_pad, tgt_pad = (src == PAD).t(), (tgt == PAD).t().float().masked_fill((tgt == PAD).t(), float("-inf"))
        s = self.pos(self.src(src) * math.sqrt(self.dim))
        t = self.pos(self.tgt(tgt) * math.sqrt(self.dim))
        h = self.core(s, t, tgt_mask=mask, src_key_padding_mask=src_pad, tgt_key_padding_mask=tgt_pad, memory_key_padding_mask=src_pad)
        return self.out(h)


pairs = []
for _ in range(90):
    row = torch.randint(3, V, (int(torch.randint(3, 9, (1,))),))
    pairs.append((row, torch.cat([torch.tensor([BOS]), row.flip(0), torch.tensor([EOS])])))


def collate(batch):
    s, t = zip(*batch)
    return pad_sequence(s, padding_value=PAD), pad_sequence(t, padding_value=PAD)


loader = DataLoader(pairs, batch_size=12, shuffle=True, collate_fn=collate)
model = Seq2Seq()
for p in model.parameters():
    if p.dim() > 1:
        nn.init.xavier_uniform_(p)
optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: 32 ** -0.5 * min((s + 1) ** -0.5, (s + 1) * 40 ** -1.5))
criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
for epoch in range(2):
    model.train()
    for src, tgt in loader:
        logits = model(src, tgt[:-1])
        loss = criterion(logits.reshape(-1, V), tgt[1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    print(epoch, loss.item())
model.eval()
with torch.no_grad():
    src, ys = torch.tensor([[3], [4], [5]]), torch.tensor([[BOS]])
    for _ in range(5):
        nxt = model(src, ys)[-1].argmax(dim=-1)
        ys = torch.cat([ys, nxt.unsqueeze(0)], dim=0)
print(ys.flatten().tolist())
