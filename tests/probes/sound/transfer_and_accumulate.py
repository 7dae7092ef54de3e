"""A frozen backbone, a head trained alone, accumulation over batches, gradient clipping, a scheduler per step, early stopping."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
for p in body.parameters():
    p.requires_grad = False
body.eval()
model = nn.Sequential(body, nn.Dropout(0.2), nn.Linear(8, 4))
data = TensorDataset(torch.randn(60, 3, 8, 8), torch.randint(0, 4, (60,)))
train, held = random_split(data, [45, 15])
loaders = {"train": DataLoader(train, 6, shuffle=True), "val": DataLoader(held, 6)}
opt = torch.optim.AdamW(model[2].parameters(), lr=1e-2)
plan = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-2, total_steps=40)
best, patience = float("inf"), 0
for epoch in range(3):
    for phase in ("train", "val"):
        model.train(phase == "train")
        body.eval()
        total, count = 0.0, 0
        for i, (x, y) in enumerate(loaders[phase]):
            with torch.set_grad_enabled(phase == "train"):
                loss = F.cross_entropy(model(x), y)
            if phase == "train":
                (loss / 2).backward()
                if (i + 1) % 2 == 0 or i + 1 == len(loaders[phase]):
                    nn.utils.clip_grad_norm_(model[2].parameters(), 1.0)
                    opt.step()
                    opt.zero_grad()
                    plan.step()
            total += loss.item() * len(x)
            count += len(x)
        if phase == "val":
            if total / count < best:
                best, patience = total / count, 0
            else:
                patience += 1
    if patience > 2:
        break
print(best)
