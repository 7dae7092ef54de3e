"""Encoder, attention decoder with teacher forcing, time first, as in the old tutorials; several modules called in turn."""
import random
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
random.seed(0)
PAD, SOS, EOS, V = 0, 1, 2, 20


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(V, 8, padding_idx=PAD), nn.GRU(8, 12, bidirectional=True)
        self.fc = nn.Linear(24, 12)

    def forward(self, src, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.emb(src), lengths, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = nn.utils.rnn.pad_packed_sequence(out)
        return out, torch.tanh(self.fc(torch.cat([h[-2], h[-1]], dim=1)))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(V, 8, padding_idx=PAD), nn.GRU(8 + 24, 12)
        self.score, self.v, self.out = nn.Linear(36, 12), nn.Linear(12, 1, bias=False), nn.Linear(12, V)

    def forward(self, token, hidden, memory, mask):
        T = memory.size(0)
        query = hidden.unsqueeze(1).repeat(1, T, 1)
        keys = memory.transpose(0, 1)
        e = self.v(torch.tanh(self.score(torch.cat([query, keys], dim=2)))).squeeze(2)
        a = e.masked_fill(mask, float("-inf")).softmax(dim=1).unsqueeze(1)
        context = torch.bmm(a, keys).transpose(0, 1)
        out, hidden = self.rnn(torch.cat([self.emb(token.unsqueeze(0)), context], dim=2), hidden.unsqueeze(0))
        return self.out(out.squeeze(0)), hidden.squeeze(0)


encoder, decoder = Encoder(), Decoder()
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
for step in range(6):
    rows = [torch.randint(3, V, (random.randint(3, 8),)) for _ in range(6)]
    src = pad_sequence(rows, padding_value=PAD)
    trg = pad_sequence([torch.cat([torch.tensor([SOS]), r.flip(0), torch.tensor([EOS])]) for r in rows], padding_value=PAD)
    lengths = torch.tensor([len(r) for r in rows])
    memory, hidden = encoder(src, lengths)
    mask = (src == PAD).t()
    token, outputs = trg[0], []
    for t in range(1, len(trg)):
        logits, hidden = decoder(token, hidden, memory, mask)
        outputs.append(logits)
        token = trg[t] if random.random() < 0.5 else logits.argmax(1)
    loss = F.cross_entropy(torch.stack(outputs).flatten(0, 1), trg[1:].flatten(), ignore_index=PAD)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([*encoder.parameters(), *decoder.parameters()], 1.0)
    opt.step()
print(loss.item())
