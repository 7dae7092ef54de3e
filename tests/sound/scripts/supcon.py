"""Supervised contrastive learning: a (2B, 2B) mask of positives, log-softmax over the batch on purpose."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class SupConLoss(nn.Module):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.temperature = temperature

    def forward(self, features, labels):
        b, views, _ = features.shape
        contrast = torch.cat(torch.unbind(features, dim=1), dim=0)
        labels = labels.contiguous().view(-1, 1)
        mask = torch.eq(labels, labels.T).float().repeat(views, views)
        logits = contrast @ contrast.T / self.temperature
        logits = logits - logits.max(dim=1, keepdim=True).values.detach()
        self_mask = 1 - torch.eye(b * views)
        mask = mask * self_mask
        exp = torch.exp(logits) * self_mask
        log_prob = logits - torch.log(exp.sum(1, keepdim=True))
        mean = (mask * log_prob).sum(1) / mask.sum(1).clamp(min=1)
        return -mean.view(views, b).mean()


encoder = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 32))
head = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))
labels = torch.randint(0, 6, (200,))
data = torch.randn(6, 20)[labels] + 0.5 * torch.randn(200, 20)
loader = DataLoader(TensorDataset(data, labels), batch_size=32, shuffle=True)
params = list(encoder.parameters()) + list(head.parameters())
optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9)
criterion = SupConLoss()
for epoch in range(4):
    for x, y in loader:
        views = torch.cat([x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)], dim=0)
        z = F.normalize(head(encoder(views)), dim=1)
        f1, f2 = torch.split(z, [x.size(0), x.size(0)], dim=0)
        loss = criterion(torch.stack([f1, f2], dim=1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))

# linear evaluation on the frozen encoder
for p in encoder.parameters():
    p.requires_grad_(False)
encoder.eval()
probe = nn.Linear(32, 6)
opt = torch.optim.Adam(probe.parameters(), lr=1e-2)
for epoch in range(3):
    for x, y in loader:
        with torch.no_grad():
            h = encoder(x)
        loss = F.cross_entropy(probe(h), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
with torch.no_grad():
    print("acc", (probe(encoder(data)).argmax(1) == labels).float().mean().item())
