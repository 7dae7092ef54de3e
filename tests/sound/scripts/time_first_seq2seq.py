import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

PAD, SOS, EOS, VOCAB = 0, 1, 2, 26
random.seed(1)
torch.manual_seed(1)


class Encoder(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, hid, padding_idx=PAD)
        self.rnn = nn.GRU(hid, hid, bidirectional=True)
        self.join = nn.Linear(2 * hid, hid)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embed(src), lengths, enforce_sorted=False)
        out, h = self.rnn(packed)
        out, _ = pad_packed_sequence(out)
        return out, torch.tanh(self.join(torch.cat([h[-2], h[-1]], dim=1)))


class Attention(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.attn = nn.Linear(3 * hid, hid)
        self.v = nn.Linear(hid, 1, bias=False)

    def forward(self, hidden, enc, mask):
        T = enc.size(0)
        hidden = hidden.unsqueeze(1).repeat(1, T, 1)
        enc = enc.permute(1, 0, 2)
        energy = torch.tanh(self.attn(torch.cat([hidden, enc], dim=2)))
        score = self.v(energy).squeeze(2).masked_fill(mask == 0, -1e10)
        return F.softmax(score, dim=1)


class Decoder(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, hid, padding_idx=PAD)
        self.attention = Attention(hid)
        self.rnn = nn.GRU(3 * hid, hid)
        self.out = nn.Linear(4 * hid, VOCAB)

    def forward(self, token, hidden, enc, mask):
        emb = self.embed(token.unsqueeze(0))
        a = self.attention(hidden, enc, mask).unsqueeze(1)
        weighted = torch.bmm(a, enc.permute(1, 0, 2)).permute(1, 0, 2)
        output, h = self.rnn(torch.cat([emb, weighted], dim=2), hidden.unsqueeze(0))
        pred = self.out(torch.cat([output.squeeze(0), weighted.squeeze(0), emb.squeeze(0)], dim=1))
        return pred, h.squeeze(0)


encoder, decoder = Encoder(), Decoder()
optimizer = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=3e-3)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
words = [[random.randrange(3, VOCAB) for _ in range(random.randint(3, 9))] for _ in range(90)]
for epoch in range(2):
    total = 0.0
    for i in range(0, 90, 15):
        chunk = words[i:i + 15]
        src = pad_sequence([torch.tensor(w) for w in chunk], padding_value=PAD)
        trg = pad_sequence([torch.tensor([SOS] + w[::-1] + [EOS]) for w in chunk], padding_value=PAD)
        enc, hidden = encoder(src, torch.tensor([len(w) for w in chunk]))
        mask = (src != PAD).permute(1, 0)
        token, outputs = trg[0], []
        for t in range(1, trg.size(0)):
            pred, hidden = decoder(token, hidden, enc, mask)
            outputs.append(pred)
            token = trg[t] if random.random() < 0.5 else pred.argmax(1)
        logits = torch.stack(outputs)
        loss = criterion(logits.view(-1, VOCAB), trg[1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    print(epoch, round(total / 6, 4))
