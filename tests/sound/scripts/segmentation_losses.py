"""Binary segmentation: dice and focal losses over (B, 1, H, W), deep supervision by interpolate, an FPN decoder."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class FPN(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.c1 = nn.Sequential(nn.Conv2d(3, w, 3, 2, 1), nn.GroupNorm(2, w), nn.ReLU())
        self.c2 = nn.Sequential(nn.Conv2d(w, 2 * w, 3, 2, 1), nn.GroupNorm(2, 2 * w), nn.ReLU())
        self.c3 = nn.Sequential(nn.Conv2d(2 * w, 4 * w, 3, 2, 1), nn.GroupNorm(2, 4 * w), nn.ReLU())
        self.lat = nn.ModuleList([nn.Conv2d(c, w, 1) for c in (w, 2 * w, 4 * w)])
        self.heads = nn.ModuleList([nn.Conv2d(w, 1, 3, padding=1) for _ in range(3)])

    def forward(self, x):
        feats = [self.c1(x)]
        feats.append(self.c2(feats[-1]))
        feats.append(self.c3(feats[-1]))
        tops, up = [], None
        for feat, lat in zip(reversed(feats), reversed(self.lat)):
            z = lat(feat)
            if up is not None:
                z = z + F.interpolate(up, size=z.shape[-2:], mode="nearest")
            up = z
            tops.insert(0, z)
        return [F.interpolate(h(t), size=x.shape[-2:], mode="bilinear", align_corners=False) for h, t in zip(self.heads, tops)]


def dice_loss(logits, target, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    t = target.flatten(1)
    inter = (p * t).sum(dim=1)
    return (1 - (2 * inter + eps) / (p.sum(dim=1) + t.sum(dim=1) + eps)).mean()


def focal_loss(logits, target, gamma=2.0, alpha=0.25):
    ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p = torch.sigmoid(logits)
    pt = p * target + (1 - p) * (1 - target)
    a = alpha * target + (1 - alpha) * (1 - target)
    return (a * (1 - pt) ** gamma * ce).mean()


images, masks = 0.3 * torch.randn(41, 3, 32, 32), torch.zeros(41, 1, 32, 32)
for i in range(41):
    r, c = torch.randint(0, 20, (2,)).tolist()
    masks[i, :, r:r + 12, c:c + 12] = 1
images = images + masks
loader = DataLoader(TensorDataset(images, masks), batch_size=8, shuffle=True)
model = FPN()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=3 * len(loader))
for epoch in range(3):
    for x, m in loader:
        outs = model(x)
        loss = sum(w * (dice_loss(o, m) + focal_loss(o, m)) for w, o in zip((1.0, 0.5, 0.25), outs))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        p = (model(images)[0] > 0).float()
        inter, union = (p * masks).sum(dim=(1, 2, 3)), ((p + masks) > 0).sum(dim=(1, 2, 3))
    print(epoch, loss.item(), (inter / union).mean().item())
