import torch
import torch.nn as nn

torch.manual_seed(3)


class CharGRU(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, vocab)

    def forward(self, x):
        out, _ = self.gru(self.emb(x))
        return self.fc(out)


text = "the quick brown fox jumps over the lazy dog and runs away from the angry bear " * 12
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
seqs = ids[: (len(ids) - 1) // 20 * 20].view(-1, 20)
nexts = ids[1: (len(ids) - 1) // 20 * 20 + 1].view(-1, 20)
model = CharGRU(len(chars), 48)
opt = torch.optim.SGD(model.parameters(), lr=2.0)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(4):
    total = 0.0
    for xb, yb in zip(seqs.split(8), nexts.split(8)):
        opt.zero_grad()
        loss = loss_fn(model(xb).flatten(0, 1), yb.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        opt.step()
        total += loss.item() * len(xb)
    print("epoch", epoch, "loss", round(total / len(seqs), 4))
