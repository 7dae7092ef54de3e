import math

import torch
import torch.nn as nn

VOCAB, BPTT, BSZ = 40, 12, 10


def corpus(n=2400):
    g = torch.Generator().manual_seed(4)
    words, state = [], 0
    for _ in range(n):
        state = (3 * state + int(torch.randint(1, 4, (1,), generator=g))) % VOCAB
        words.append(state)
    return torch.tensor(words)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    return data.view(-1, bsz).contiguous()


def get_batch(source, i):
    seq_len = min(BPTT, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


class RNNModel(nn.Module):
    def __init__(self, ninp=32, nhid=48, nlayers=1, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(VOCAB, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, VOCAB)
        self.nhid, self.nlayers = nhid, nlayers

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(self.nlayers, bsz, self.nhid), weight.new_zeros(self.nlayers, bsz, self.nhid)

    def forward(self, x, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        return self.decoder(self.drop(output)).view(-1, VOCAB), hidden


def repackage(h):
    return tuple(v.detach() for v in h)


torch.manual_seed(0)
train_data = batchify(corpus(), BSZ)
model = RNNModel()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=2.0)
for epoch in range(3):
    model.train()
    hidden = model.init_hidden(BSZ)
    total, count = 0.0, 0
    for i in range(0, train_data.size(0) - 1, BPTT):
        data, targets = get_batch(train_data, i)
        hidden = repackage(hidden)
        model.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total += loss.item()
        count += 1
    print(f"epoch {epoch} ppl {math.exp(total / count):.2f}")
