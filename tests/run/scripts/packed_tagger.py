"""Ragged sequences: pad_sequence in a collate function, pack_padded_sequence, a bidirectional LSTM, ignore_index."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset


class Tags(Dataset):
    def __init__(self):
        generator = torch.Generator().manual_seed(0)
        self.rows = []
        for i in range(99):
            length = int(torch.randint(3, 20, (1,), generator=generator))
            tokens = torch.randint(1, 50, (length,), generator=generator)
            self.rows.append((tokens, tokens % 5))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def collate(batch):
    tokens, tags = zip(*batch)
    lengths = torch.tensor([len(t) for t in tokens])
    return pad_sequence(tokens, batch_first=True), pad_sequence(tags, batch_first=True, padding_value=-100), lengths


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 32, padding_idx=0)
        self.lstm = nn.LSTM(32, 24, batch_first=True, bidirectional=True)
        self.head = nn.Linear(48, 5)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(self.embedding(tokens), lengths.cpu(), batch_first=True, enforce_sorted=False)
        output, _ = self.lstm(packed)
        output, _ = pad_packed_sequence(output, batch_first=True)
        return self.head(output)


model = Tagger()
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss(ignore_index=-100)
for epoch in range(4):
    for tokens, tags, lengths in DataLoader(Tags(), batch_size=16, shuffle=True, collate_fn=collate):
        logits = model(tokens, lengths)
        loss = criterion(logits.reshape(-1, 5), tags.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
