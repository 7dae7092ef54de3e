import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class CharModel(nn.Module):
    def __init__(self, vocab, dim=16, length=12):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.zeros(length, dim))
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)))
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        T = ids.size(1)
        x = self.embed(ids) + self.pos[:T]
        scores = self.q(x) @ self.k(x).transpose(1, 2) / x.size(-1) ** 0.5
        scores = scores + self.mask[:T, :T]
        return self.out(x + scores.softmax(-1) @ self.v(x))

text = torch.randint(0, 30, (600,))
windows = text.unfold(0, 13, 5)
model = CharModel(30)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for (w,) in DataLoader(TensorDataset(windows), batch_size=20, shuffle=True):
        inputs, targets = w[:, :-1], w[:, 1:]
        logits = model(inputs)
        loss = F.cross_entropy(logits.reshape(-1, 30), targets.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
