"""Text in the ways that people do it: TextCNN on padded ids, embedding bag with offsets, packed BiLSTM with attention, CRF-like tagger."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
items = [(torch.randint(2, 40, (n % 7 + 4,)), n % 3) for n in range(40)]


def collate(batch):
    ids, labels = zip(*batch)
    return pad_sequence(ids, batch_first=True), torch.tensor([len(i) for i in ids]), torch.tensor(labels)


class TextCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(40, 8, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(8, 6, k, padding=k // 2) for k in (1, 3))
        self.out = nn.Linear(12, 3)

    def forward(self, ids, lengths):
        h = self.emb(ids).transpose(1, 2)
        return self.out(torch.cat([F.relu(conv(h)).amax(dim=2) for conv in self.convs], dim=1))


class BiLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(40, 8, padding_idx=0), nn.LSTM(8, 6, batch_first=True, bidirectional=True, num_layers=2, dropout=0.1)
        self.att, self.out = nn.Linear(12, 1), nn.Linear(24, 3)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.emb(ids), lengths, batch_first=True, enforce_sorted=False)
        out, (h, _) = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        keep = torch.arange(out.size(1))[None] < lengths[:, None]
        a = self.att(out).squeeze(-1).masked_fill(~keep, -1e9).softmax(1)
        return self.out(torch.cat([(a.unsqueeze(-1) * out).sum(1), h[-2], h[-1]], dim=1))


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag, self.out = nn.EmbeddingBag(40, 8), nn.Linear(8, 3)

    def forward(self, ids, offsets):
        return self.out(self.bag(ids, offsets))


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(40, 8), nn.GRU(8, 6, batch_first=True, bidirectional=True), nn.Linear(12, 5)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


models = [TextCNN(), BiLSTM(), Bag(), Tagger()]
opt = torch.optim.Adam([p for m in models for p in m.parameters()])
for epoch in range(2):
    for ids, lengths, y in DataLoader(items, batch_size=8, shuffle=True, collate_fn=collate):
        flat = torch.cat([row[:n] for row, n in zip(ids, lengths.tolist())])
        offsets = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)[:-1]])
        tags = (ids % 5).masked_fill(ids == 0, -100)
        loss = sum(F.cross_entropy(m(ids, lengths), y) for m in models[:2])
        loss = loss + F.cross_entropy(models[2](flat, offsets), y) + F.cross_entropy(models[3](ids).flatten(0, 1), tags.flatten(), ignore_index=-100)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
