import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Captioner(nn.Module):
    def __init__(self, vocab=50, d=32):
        super().__init__()
        self.img = nn.Linear(20, d)
        self.word = nn.Embedding(vocab, d)
        self.cross = nn.MultiheadAttention(d, 2)
        self.out = nn.Linear(d, vocab)

    def forward(self, regions, words):
        mem = self.img(regions)
        q = self.word(words)
        ctx, _ = self.cross(q, mem, mem)
        return self.out(q + ctx)


regions = torch.randn(80, 9, 20)
words = torch.randint(0, 50, (80, 9))
nxt = torch.randint(0, 50, (80, 9))
loader = DataLoader(TensorDataset(regions, words, nxt), batch_size=16, shuffle=True)
model = Captioner()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    for r, w, t in loader:
        logits = model(r, w)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), t.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
