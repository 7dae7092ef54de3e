"""Anchor detection: IoU of (A, 4) with (G, 4) by broadcasting, lists of boxes in collate, smooth L1 on the matched."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


def iou(a, b):
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    area = lambda z: (z[:, 2] - z[:, 0]) * (z[:, 3] - z[:, 1])
    return inter / (area(a)[:, None] + area(b)[None, :] - inter)


class Boxes(Dataset):
    def __init__(self, n=30):
        self.items = []
        for _ in range(n):
            k = int(torch.randint(1, 4, (1,)))
            xy = torch.randint(0, 20, (k, 2)).float()
            boxes = torch.cat([xy, xy + torch.randint(6, 12, (k, 2))], dim=1)
            img = 0.1 * torch.randn(1, 32, 32)
            for x0, y0, x1, y1 in boxes.long().tolist():
                img[0, y0:y1, x0:x1] += 1
            self.items.append((img, {"boxes": boxes, "labels": torch.ones(k, dtype=torch.long)}))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    images, targets = zip(*batch)
    return torch.stack(images), list(targets)


centres = torch.stack(torch.meshgrid(torch.arange(4, 32, 8), torch.arange(4, 32, 8), indexing="xy"), -1).reshape(-1, 2).float()
anchors = torch.cat([torch.cat([centres - s, centres + s], dim=1) for s in (4.0, 6.0)])


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 16, 3, 2, 1), nn.ReLU())
        self.cls, self.reg = nn.Conv2d(16, 2 * 2, 1), nn.Conv2d(16, 2 * 4, 1)

    def forward(self, x):
        h = self.body(x)
        b = x.size(0)
        cls = self.cls(h).view(b, 2, 2, -1).permute(0, 1, 3, 2).reshape(b, -1, 2)
        reg = self.reg(h).view(b, 2, 4, -1).permute(0, 1, 3, 2).reshape(b, -1, 4)
        return cls, reg


model = Detector()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
loader = DataLoader(Boxes(), batch_size=8, shuffle=True, collate_fn=collate)
for epoch in range(3):
    for images, targets in loader:
        cls, reg = model(images)
        losses = []
        for c, r, t in zip(cls, reg, targets):
            overlap, which = iou(anchors, t["boxes"]).max(dim=1)
            label = torch.where(overlap > 0.4, t["labels"][which], 0)
            label[(overlap > 0.3) & (overlap <= 0.4)] = -1
            losses.append(F.cross_entropy(c, label, ignore_index=-1))
            pos = label > 0
            if pos.any():
                losses.append(F.smooth_l1_loss(r[pos], (t["boxes"][which[pos]] - anchors[pos]) / 8))
        loss = torch.stack(losses).sum() / len(images)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
