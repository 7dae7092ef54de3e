"""Left padding: the last step is a real token for every row; positions from the mask; token 0 is a real token elsewhere."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
PAD = 0


class Histories(Dataset):
    def __init__(self, n=81):
        self.rows = [torch.randint(1, 30, (int(torch.randint(3, 11, (1,))),)) for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i], self.rows[i][-2] % 4


def collate(batch):
    rows, y = zip(*batch)
    n = max(len(r) for r in rows)
    x = torch.full((len(rows), n), PAD)
    for i, r in enumerate(rows):
        x[i, n - len(r):] = r
    return x, torch.stack(y)


class Recommender(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.item, self.pos = nn.Embedding(30, d, padding_idx=PAD), nn.Embedding(16, d)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(d, 2, 32, dropout=0.0, batch_first=True, norm_first=True) for _ in range(2)])
        self.out = nn.Linear(d, 4)

    def forward(self, x):
        mask = x != PAD
        position = (mask.long().cumsum(dim=1) - 1).clamp(min=0)
        h = self.item(x) + self.pos(position)
        T = x.size(1)
        causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        blocked = causal | ~mask[:, None, :]
        blocked = blocked & ~torch.eye(T, dtype=torch.bool)
        blocked = blocked.repeat_interleave(2, dim=0)
        for layer in self.layers:
            h = layer(h, src_mask=blocked)
        return self.out(h[:, -1])


loader = DataLoader(Histories(), batch_size=16, shuffle=True, collate_fn=collate)
model = Recommender()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    hits = 0
    for x, y in loader:
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(1) == y).sum().item()
    print(epoch, loss.item(), hits / len(loader.dataset))
