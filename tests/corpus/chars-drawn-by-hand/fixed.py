import torch
import torch.nn as nn

torch.manual_seed(1)
text = "the quick brown fox jumps over the lazy dog and runs far away from here " * 20
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
seq_len = 12
n = (len(data) - 1) // seq_len
X = data[: n * seq_len].view(n, seq_len)
Y = data[1: n * seq_len + 1].view(n, seq_len)


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(vocab, 24)
        self.rnn = nn.GRU(24, hidden)
        self.fc = nn.Linear(hidden, vocab)

    def forward(self, x):
        e = self.embed(x).transpose(0, 1)
        out, h = self.rnn(e)
        return self.fc(out.transpose(0, 1))


model = CharRNN(len(chars))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for i in range(0, n, 10):
        x, y = X[i:i + 10], Y[i:i + 10]
        out = model(x)
        loss = criterion(out.view(-1, len(chars)), y.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
