"""Learn to write long sequences backwards, one token after another, with dropout on both sides."""

import torch
from torch import nn

LENGTH, WORDS, START = 60, 12, 0


class Reader(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.table, self.drop = nn.Embedding(WORDS, 16), nn.Dropout(0.2)
        self.layer = nn.GRU(16, width, batch_first=True)

    def forward(self, words):
        return self.layer(self.drop(self.table(words)))[1][0]


class Writer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.table, self.drop = nn.Embedding(WORDS, 16), nn.Dropout(0.2)
        self.cell, self.out = nn.GRUCell(16, width), nn.Linear(width, WORDS)

    def forward(self, word, state):
        state = self.cell(self.drop(self.table(word)), state)
        return self.out(self.drop(state)), state


torch.manual_seed(0)
reader, writer = Reader(), Writer()
optimizers = [torch.optim.Adam(part.parameters(), 1e-3) for part in (reader, writer)]
criterion = nn.CrossEntropyLoss()
source = torch.randint(1, WORDS, (128, LENGTH))
target = source.flip(1)


def one_pass(rows, learn):
    if learn:
        for optimizer in optimizers:
            optimizer.zero_grad()
    state, word, loss = reader(source[rows]), torch.full((len(rows),), START), 0.0
    for t in range(LENGTH):
        scores, state = writer(word, state)
        loss = loss + criterion(scores, target[rows, t])
        word = target[rows, t] if learn else scores.argmax(1)
    if learn:
        (loss / LENGTH).backward()
        for optimizer in optimizers:
            optimizer.step()
    return loss.item() / LENGTH


for epoch in range(4):
    reader.train()
    writer.train()
    losses = [one_pass(rows, True) for rows in torch.randperm(96).split(32)]
    reader.eval()
    writer.eval()
    with torch.no_grad():
        held_out = one_pass(torch.arange(96, 128), False)
    print(epoch, sum(losses) / len(losses), held_out)
