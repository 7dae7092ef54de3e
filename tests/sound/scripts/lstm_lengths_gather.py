"""Right padding and the last real step by gather, by packed final states (both directions), by a masked max; ragged end of one."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
rows = []
for _ in range(81):
    n = int(torch.randint(2, 12, (1,)))
    seq = torch.randint(1, 25, (n,))
    rows.append((seq, int(seq[-1] > 12)))


def collate(batch):
    seqs, y = zip(*batch)
    lengths = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lengths, torch.tensor(y)


class Gathered(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.emb, self.rnn, self.fc = nn.Embedding(25, d, padding_idx=0), nn.GRU(d, d, batch_first=True), nn.Linear(2 * d, 2)

    def forward(self, x, lengths):
        out, _ = self.rnn(self.emb(x))
        index = (lengths - 1).view(-1, 1, 1).expand(-1, 1, out.size(2))
        last = out.gather(1, index).squeeze(1)
        mask = torch.arange(x.size(1)).unsqueeze(0) < lengths.unsqueeze(1)
        top = out.masked_fill(~mask.unsqueeze(-1), -1e4).amax(dim=1)
        return self.fc(torch.cat([last, top], dim=1))


class Packed(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(25, d, padding_idx=0), nn.LSTM(d, d, num_layers=2, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * d, 2)

    def forward(self, x, lengths):
        lengths, order = lengths.sort(descending=True)
        packed = pack_padded_sequence(self.emb(x[order]), lengths, batch_first=True)
        _, (h, c) = self.rnn(packed)
        h = h.view(2, 2, x.size(0), -1)[-1]
        h = h.transpose(0, 1).reshape(x.size(0), -1)
        return self.fc(h[order.argsort()])


loader = DataLoader(rows, batch_size=16, shuffle=True, collate_fn=collate)
for model in (Gathered(), Packed()):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        hits = 0
        for x, n, y in loader:
            logits = model(x, n)
            loss = F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            hits += (logits.argmax(1) == y).sum().item()
        print(type(model).__name__, epoch, loss.item(), hits / len(rows))
