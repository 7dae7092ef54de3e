import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class MotionAE(nn.Module):
    def __init__(self, f=10):
        super().__init__()
        self.enc = nn.GRU(f, 12, batch_first=True)
        self.dec = nn.GRU(12, 24, batch_first=True)
        self.out = nn.Linear(24, f)

    def forward(self, x):
        z, _ = self.enc(x)
        h, _ = self.dec(z)
        return self.out(h)


seqs = torch.randn(90, 14, 10).cumsum(1)
loader = DataLoader(TensorDataset(seqs), batch_size=18, shuffle=True)
model = MotionAE()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    total = 0.0
    for (x,) in loader:
        rec = model(x)
        loss = 1 - F.cosine_similarity(rec, x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, "cos loss", round(total / len(loader), 4))
