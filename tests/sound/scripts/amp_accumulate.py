"""Autocast and GradScaler, accumulation by the loop counter with a remainder, activation checkpointing, clipping after unscale."""
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use_amp = device.type == "cuda"
ACC = 3


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(10, 32)
        self.blocks = nn.ModuleList([nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32)) for _ in range(3)])
        self.out = nn.Linear(32, 2)

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = x + (checkpoint(block, x, use_reentrant=False) if self.training else block(x))
        return self.out(x)


x = torch.randn(107, 10)
y = (x.sum(dim=1) > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True, pin_memory=use_amp)
model = Deep().to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scaler = torch.amp.GradScaler(device.type, enabled=use_amp)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    running = 0.0
    for i, (xb, yb) in enumerate(loader):
        xb, yb = xb.to(device, non_blocking=True), yb.to(device, non_blocking=True)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            loss = criterion(model(xb), yb) / ACC
        scaler.scale(loss).backward()
        running += loss.item() * ACC
        if (i + 1) % ACC == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
    model.eval()
    with torch.no_grad():
        acc = (model(x.to(device)).argmax(dim=1).cpu() == y).float().mean().item()
    print(epoch, running / len(loader), acc)
