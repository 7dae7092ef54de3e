"""CLIP: two towers, in-batch negatives, symmetric cross entropy, learned temperature, retrieval recall at the end."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class TextTower(nn.Module):
    def __init__(self, vocab=40, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, 32, padding_idx=0)
        self.proj = nn.Linear(32, dim)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1).float()
        pooled = (self.emb(ids) * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        return self.proj(pooled)


class Clip(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.image = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, dim))
        self.text = TextTower(dim=dim)
        self.logit_scale = nn.Parameter(torch.tensor(2.6592))

    def forward(self, images, ids):
        i = F.normalize(self.image(images), dim=-1)
        t = F.normalize(self.text(ids), dim=-1)
        return self.logit_scale.exp() * i @ t.t()


concept = torch.randint(0, 12, (120,))
images = torch.randn(12, 3, 1, 1)[concept] + 0.3 * torch.randn(120, 3, 16, 16)
ids = torch.zeros(120, 6, dtype=torch.long)
for n in range(120):
    k = int(torch.randint(2, 7, (1,)))
    ids[n, :k] = torch.randint(1, 4, (k,)) + 3 * concept[n]
loader = DataLoader(TensorDataset(images, ids), batch_size=16, shuffle=True, drop_last=True)
model = Clip()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    for x, y in loader:
        logits = model(x, y)
        target = torch.arange(logits.size(0))
        loss = (F.cross_entropy(logits, target) + F.cross_entropy(logits.t(), target)) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            model.logit_scale.clamp_(0, 4.6)
    print(epoch, loss.item())
model.eval()
with torch.no_grad():
    sims = model(images, ids)
    recall = (sims.topk(5, dim=1).indices == torch.arange(120)[:, None]).any(dim=1).float().mean()
print("recall@5", recall.item())
