import argparse
import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class EMA:
    def __init__(self, model, decay=0.99):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e.mul_(self.decay).add_(p, alpha=1 - self.decay)
            else:
                e.copy_(p)


def mixup(x, y, classes, alpha=0.3):
    lam = torch.distributions.Beta(alpha, alpha).sample().item()
    perm = torch.randperm(x.size(0))
    y1 = nn.functional.one_hot(y, classes).float()
    return lam * x + (1 - lam) * x[perm], lam * y1 + (1 - lam) * y1[perm]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    y = torch.randint(0, 6, (240,))
    x = torch.randn(6, 3, 12, 12)[y] + torch.randn(240, 3, 12, 12)
    loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
    model = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Dropout(0.1), nn.Linear(256, 6)).to(device)
    decay = [p for p in model.parameters() if p.ndim > 1]
    no_decay = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": no_decay, "weight_decay": 0.0}], lr=2e-3)
    scaler = torch.amp.GradScaler(device, enabled=device == "cuda")
    ema = EMA(model)
    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        for i, (xb, yb) in enumerate(loader):
            mixed, soft = mixup(xb.to(device), yb.to(device), 6)
            with torch.autocast(device, enabled=device == "cuda"):
                loss = nn.functional.cross_entropy(model(mixed), soft, label_smoothing=0.1) / args.accumulate
            scaler.scale(loss).backward()
            if (i + 1) % args.accumulate == 0 or i + 1 == len(loader):
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                optimizer.zero_grad()
                ema.update(model)
        with torch.no_grad():
            acc = (ema.module(x.to(device)).argmax(1).cpu() == y).float().mean()
        print(epoch, round(loss.item() * args.accumulate, 4), round(acc.item(), 3))


if __name__ == "__main__":
    main()
