"""Tagger with a CRF: the forward algorithm broadcasts scores over tags on purpose; packed BiLSTM; Viterbi."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
TAGS, V = 5, 30


class CRF(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.trans = nn.Parameter(torch.randn(n, n) * 0.1)
        self.start, self.end = nn.Parameter(torch.zeros(n)), nn.Parameter(torch.zeros(n))

    def log_z(self, emit, mask):
        alpha = self.start + emit[:, 0]
        for t in range(1, emit.size(1)):
            nxt = torch.logsumexp(alpha.unsqueeze(2) + self.trans.unsqueeze(0) + emit[:, t].unsqueeze(1), dim=1)
            alpha = torch.where(mask[:, t].unsqueeze(1), nxt, alpha)
        return torch.logsumexp(alpha + self.end, dim=1)

    def score(self, emit, tags, mask):
        idx = torch.arange(emit.size(0))
        s = self.start[tags[:, 0]] + emit[idx, 0, tags[:, 0]]
        for t in range(1, emit.size(1)):
            step = self.trans[tags[:, t - 1], tags[:, t]] + emit[idx, t, tags[:, t]]
            s = s + step * mask[:, t]
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        return s + self.end[last]

    def forward(self, emit, tags, mask):
        return (self.log_z(emit, mask) - self.score(emit, tags, mask)).mean()

    def decode(self, emit):
        score, back = self.start + emit[0], []
        for e in emit[1:]:
            total = score[:, None] + self.trans + e[None, :]
            score, arg = total.max(dim=0)
            back.append(arg)
        best = [int((score + self.end).argmax())]
        for arg in reversed(back):
            best.append(int(arg[best[-1]]))
        return best[::-1]


class Tagger(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Embedding(V, dim, padding_idx=0)
        self.rnn = nn.LSTM(dim, dim, bidirectional=True, batch_first=True)
        self.fc, self.crf = nn.Linear(2 * dim, TAGS), CRF(TAGS)

    def emissions(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths, batch_first=True, enforce_sorted=False)
        out, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.fc(out)


rows = [torch.randint(1, V, (int(torch.randint(3, 10, (1,))),)) for _ in range(81)]
data = [(r, (r + torch.cat([r.new_zeros(1), r[:-1]])) % TAGS) for r in rows]


def collate(batch):
    x, y = zip(*batch)
    return pad_sequence(x, True), pad_sequence(y, True), torch.tensor([len(r) for r in x])


loader = DataLoader(data, batch_size=16, shuffle=True, collate_fn=collate)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(2):
    for x, y, n in loader:
        mask = torch.arange(x.size(1))[None, :] < n[:, None]
        loss = model.crf(model.emissions(x, n), y, mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
model.eval()
with torch.no_grad():
    right = total = 0
    for row, tags in data[:8]:
        path = model.crf.decode(model.emissions(row[None], torch.tensor([len(row)]))[0])
        right += sum(p == t for p, t in zip(path, tags.tolist()))
        total += len(path)
print(right / total)
