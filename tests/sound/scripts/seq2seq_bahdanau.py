"""Seq2seq with a GRU, Bahdanau attention over padded sources, teacher forcing, greedy decoding."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

torch.manual_seed(0)
random.seed(0)
PAD, SOS, EOS, VOCAB = 0, 1, 2, 14


class Encoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.rnn = nn.GRU(dim, dim, bidirectional=True, batch_first=True)
        self.merge = nn.Linear(2 * dim, dim)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return out, torch.tanh(self.merge(torch.cat([h[-2], h[-1]], dim=1)))


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Linear(3 * dim, dim)
        self.v = nn.Linear(dim, 1, bias=False)

    def forward(self, hidden, enc, mask):
        h = hidden.unsqueeze(1).expand(-1, enc.size(1), -1)
        score = self.v(torch.tanh(self.w(torch.cat([h, enc], dim=2)))).squeeze(2)
        return score.masked_fill(~mask, -1e9).softmax(dim=1)


class Decoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.att = Attention(dim)
        self.cell = nn.GRUCell(3 * dim, dim)
        self.out = nn.Linear(4 * dim, VOCAB)

    def forward(self, token, hidden, enc, mask):
        e = self.emb(token)
        a = self.att(hidden, enc, mask)
        ctx = torch.bmm(a.unsqueeze(1), enc).squeeze(1)
        hidden = self.cell(torch.cat([e, ctx], dim=1), hidden)
        return self.out(torch.cat([hidden, ctx, e], dim=1)), hidden


def batch(n=16):
    rows = [torch.randint(3, VOCAB, (random.randint(3, 7),)) for _ in range(n)]
    src = pad_sequence(rows, batch_first=True, padding_value=PAD)
    trg = pad_sequence([torch.cat([torch.tensor([SOS]), r.flip(0), torch.tensor([EOS])]) for r in rows], batch_first=True, padding_value=PAD)
    return src, torch.tensor([len(r) for r in rows]), trg


enc, dec = Encoder(), Decoder()
optimizer = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=5e-3)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for step in range(30):
    src, lengths, trg = batch()
    mask = src != PAD
    memory, hidden = enc(src, lengths)
    token, logits = trg[:, 0], []
    for t in range(1, trg.size(1)):
        out, hidden = dec(token, hidden, memory, mask)
        logits.append(out)
        token = trg[:, t] if random.random() < 0.5 else out.argmax(dim=1)
    logits = torch.stack(logits, dim=1)
    loss = criterion(logits.reshape(-1, VOCAB), trg[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([*enc.parameters(), *dec.parameters()], 1.0)
    optimizer.step()
enc.eval(), dec.eval()
with torch.no_grad():
    src, lengths, trg = batch(1)
    memory, hidden = enc(src, lengths)
    token, answer = torch.tensor([SOS]), []
    for _ in range(10):
        out, hidden = dec(token, hidden, memory, src != PAD)
        token = out.argmax(dim=1)
        if token.item() == EOS:
            break
        answer.append(token.item())
print(loss.item(), src.tolist(), answer)
