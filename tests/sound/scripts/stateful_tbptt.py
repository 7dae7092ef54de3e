"""Character LM with truncated BPTT: the hidden state is carried and detached; batches are columns of one long text."""
import torch
import torch.nn as nn

torch.manual_seed(0)
text = "the quick brown fox jumps over the lazy dog and runs away. " * 30
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
BATCH, BPTT = 8, 20


def batchify(d, b):
    n = d.size(0) // b
    return d[: n * b].view(b, n).t().contiguous()


class CharRNN(nn.Module):
    def __init__(self, v, dim=32, layers=2):
        super().__init__()
        self.layers, self.dim = layers, dim
        self.emb, self.drop = nn.Embedding(v, dim), nn.Dropout(0.1)
        self.rnn = nn.LSTM(dim, dim, layers, dropout=0.1)
        self.head = nn.Linear(dim, v)

    def init_hidden(self, b):
        w = next(self.parameters())
        return w.new_zeros(self.layers, b, self.dim), w.new_zeros(self.layers, b, self.dim)

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.drop(self.emb(x)), hidden)
        out = self.head(self.drop(out))
        return out.view(-1, out.size(2)), hidden


def repackage(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage(v) for v in h)


def get_batch(source, i):
    n = min(BPTT, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


train, val = batchify(data[:1400], BATCH), batchify(data[1400:], 4)
model, criterion, lr = CharRNN(len(chars)), nn.CrossEntropyLoss(), 2.0


def evaluate(source, b):
    model.eval()
    total, hidden = 0.0, model.init_hidden(b)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, BPTT):
            x, y = get_batch(source, i)
            out, hidden = model(x, hidden)
            total += len(x) * criterion(out, y).item()
    return total / (len(source) - 1)


best = None
for epoch in range(2):
    model.train()
    hidden = model.init_hidden(BATCH)
    for i in range(0, train.size(0) - 1, BPTT):
        x, y = get_batch(train, i)
        hidden = repackage(hidden)
        model.zero_grad()
        out, hidden = model(x, hidden)
        loss = criterion(out, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
    score = evaluate(val, 4)
    if best is None or score < best:
        best = score
    else:
        lr /= 4.0
    print(epoch, score, lr)
