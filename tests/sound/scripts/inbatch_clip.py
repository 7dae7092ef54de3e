import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Tower(nn.Module):
    def __init__(self, n, dim=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        x = self.net(x)
        return x / x.norm(dim=-1, keepdim=True)


class CLIP(nn.Module):
    def __init__(self):
        super().__init__()
        self.image, self.text = Tower(30), Tower(12)
        self.logit_scale = nn.Parameter(torch.tensor(2.6))

    def forward(self, img, txt):
        i, t = self.image(img), self.text(txt)
        logits = self.logit_scale.exp() * i @ t.t()
        return logits, logits.t()


latent = torch.randn(256, 6)
img = latent @ torch.randn(6, 30) + 0.1 * torch.randn(256, 30)
txt = latent @ torch.randn(6, 12) + 0.1 * torch.randn(256, 12)
loader = DataLoader(TensorDataset(img, txt), batch_size=32, shuffle=True, drop_last=True)
model = CLIP()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(4):
    model.train()
    for a, b in loader:
        per_image, per_text = model(a, b)
        labels = torch.arange(a.size(0))
        loss = (F.cross_entropy(per_image, labels) + F.cross_entropy(per_text, labels)) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        per_image, _ = model(img, txt)
        top1 = (per_image.argmax(dim=1) == torch.arange(len(img))).float().mean()
    print(epoch, round(loss.item(), 4), round(top1.item(), 3))
