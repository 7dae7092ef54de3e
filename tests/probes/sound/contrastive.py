"""SimCLR: two views, in-batch negatives, loss inside the model."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class SimCLR(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, a, b):
        z = F.normalize(self.body(torch.cat([a, b])), dim=1)
        sim = z @ z.t() / 0.2
        sim = sim.masked_fill(torch.eye(len(z), dtype=torch.bool), float("-inf"))
        target = torch.arange(len(z)).roll(len(a))
        return F.cross_entropy(sim, target), z[: len(a)], sim


loader = DataLoader(TensorDataset(torch.randn(50, 12)), batch_size=10, shuffle=True)
model = SimCLR()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    for (x,) in loader:
        loss, z, sim = model(x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
