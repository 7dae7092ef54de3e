import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

GRID, CLASSES = 4, 3


class Shapes(Dataset):
    def __init__(self, n=60):
        g = torch.Generator().manual_seed(0)
        self.images, self.boxes, self.labels = [], [], []
        for _ in range(n):
            k = int(torch.randint(1, 4, (1,), generator=g))
            img = 0.1 * torch.rand(3, 32, 32, generator=g)
            xy = torch.randint(2, 20, (k, 2), generator=g)
            wh = torch.randint(4, 10, (k, 2), generator=g)
            lab = torch.randint(0, CLASSES, (k,), generator=g)
            for (x, y), (w, h), c in zip(xy.tolist(), wh.tolist(), lab.tolist()):
                img[c, y:y + h, x:x + w] = 1.0
            self.images.append(img)
            self.boxes.append(torch.cat([xy, xy + wh], dim=1).float())
            self.labels.append(lab)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], {"boxes": self.boxes[i], "labels": self.labels[i]}


def collate(rows):
    return torch.stack([r[0] for r in rows]), [r[1] for r in rows]


def iou(a, b):
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    inter = (rb - lt).clamp(min=0).prod(dim=2)
    area = lambda z: (z[:, 2] - z[:, 0]) * (z[:, 3] - z[:, 1])
    return inter / (area(a)[:, None] + area(b)[None, :] - inter)


class YoloLite(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 5 + CLASSES, 1))

    def forward(self, x):
        out = self.body(x).permute(0, 2, 3, 1)
        return out[..., :1], out[..., 1:5].sigmoid() * 32, out[..., 5:]


def targets(batch):
    obj = torch.zeros(len(batch), GRID, GRID, 1)
    box = torch.zeros(len(batch), GRID, GRID, 4)
    cls = torch.zeros(len(batch), GRID, GRID, dtype=torch.long)
    for i, t in enumerate(batch):
        centre = (t["boxes"][:, :2] + t["boxes"][:, 2:]) / 2
        cell = (centre / 8).long().clamp(max=GRID - 1)
        obj[i, cell[:, 1], cell[:, 0], 0] = 1.0
        box[i, cell[:, 1], cell[:, 0]] = t["boxes"]
        cls[i, cell[:, 1], cell[:, 0]] = t["labels"]
    return obj, box, cls


torch.manual_seed(0)
model = YoloLite()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    for images, anns in DataLoader(Shapes(), batch_size=8, shuffle=True, collate_fn=collate):
        conf, boxes, logits = model(images)
        obj, tbox, tcls = targets(anns)
        pos = obj.squeeze(-1).bool()
        loss = F.binary_cross_entropy_with_logits(conf, obj) + F.smooth_l1_loss(boxes[pos], tbox[pos]) / 8 + F.cross_entropy(logits[pos], tcls[pos])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        best = iou(boxes[pos], tbox[pos]).max(dim=1).values.mean()
    print(epoch, round(loss.item(), 4), round(best.item(), 3))
