import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


class Rentals(Dataset):
    """columns: hour, weekday, temperature, wind"""

    def __init__(self, n=120, seed=0):
        rng = np.random.RandomState(seed)
        hour, day = rng.randint(0, 24, n), rng.randint(0, 7, n)
        temp, wind = rng.rand(n), rng.rand(n)
        self.data = np.stack([hour, day, temp, wind], axis=1).astype(np.float32)
        self.count = (np.sin(hour / 24 * 6.28) + temp - 0.3 * (day > 4)).astype(np.float32)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        row = torch.from_numpy(self.data[i])
        categorical, numeric = row[:2].long(), row[2:]
        return categorical, numeric, torch.tensor(self.count[i])


class TabularModel(nn.Module):
    def __init__(self, cardinalities, n_numeric, emb=4):
        super().__init__()
        self.embeds = nn.ModuleList(nn.Embedding(c, emb) for c in cardinalities)
        self.mlp = nn.Sequential(nn.Linear(emb * len(cardinalities) + n_numeric, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, cat, num):
        parts = [e(cat[:, i]) for i, e in enumerate(self.embeds)]
        return self.mlp(torch.cat(parts + [num], dim=1)).squeeze(-1)


torch.manual_seed(0)
loader = DataLoader(Rentals(), batch_size=24, shuffle=True)
model = TabularModel([24, 7], 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    total = 0
    for cat, num, y in loader:
        loss = nn.functional.mse_loss(model(cat, num), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("epoch", epoch, round(total / len(loader), 4))
