import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

BATCH = 16


class NTXent(nn.Module):
    def __init__(self, batch_size, temperature=0.5):
        super().__init__()
        self.temperature = temperature
        self.batch_size = batch_size
        self.register_buffer("self_mask", torch.eye(2 * batch_size, dtype=torch.bool))

    def forward(self, z1, z2):
        z = F.normalize(torch.cat([z1, z2]), dim=1)
        sim = z @ z.T / self.temperature
        sim = sim.masked_fill(self.self_mask, -1e9)
        n = z1.size(0)
        targets = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
        return F.cross_entropy(sim, targets)


class Projector(nn.Module):
    def __init__(self, n_in=24, dim=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, 48), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return self.head(self.encoder(x))


def augment(x):
    return x + 0.1 * torch.randn_like(x)


torch.manual_seed(0)
centres = torch.randn(6, 24)
data = centres[torch.randint(0, 6, (100,))] + 0.2 * torch.randn(100, 24)
loader = DataLoader(TensorDataset(data), batch_size=BATCH, shuffle=True, drop_last=True)
model, criterion = Projector(), NTXent(BATCH)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    total = 0.0
    for (x,) in loader:
        loss = criterion(model(augment(x)), model(augment(x)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, round(total / len(loader), 4))
