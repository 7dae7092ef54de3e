"""DeepSets: ragged sets padded in collate, masked mean, regression of one number a set."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Bags(Dataset):
    def __init__(self, n=97):
        self.bags = [torch.randn(int(torch.randint(2, 9, (1,))), 3) for _ in range(n)]

    def __len__(self):
        return len(self.bags)

    def __getitem__(self, i):
        bag = self.bags[i]
        return bag, bag.norm(dim=1).max()


def collate(samples):
    bags, targets = zip(*samples)
    longest = max(len(b) for b in bags)
    x = torch.zeros(len(bags), longest, 3)
    mask = torch.zeros(len(bags), longest)
    for i, b in enumerate(bags):
        x[i, :len(b)] = b
        mask[i, :len(b)] = 1
    return x, mask, torch.stack(targets)


class DeepSet(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.rho = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x, mask):
        h = self.phi(x)
        m = mask.unsqueeze(-1)
        mean = (h * m).sum(1) / m.sum(1)
        top = h.masked_fill(m == 0, float("-inf")).max(dim=1).values
        return self.rho(torch.cat([mean, top], dim=-1)).squeeze(-1)


train_loader = DataLoader(Bags(97), batch_size=32, shuffle=True, collate_fn=collate)
test_loader = DataLoader(Bags(33), batch_size=32, collate_fn=collate)
model = DeepSet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
mse = nn.MSELoss()
for epoch in range(5):
    model.train()
    for x, mask, y in train_loader:
        optimizer.zero_grad()
        loss = mse(model(x, mask), y)
        loss.backward()
        optimizer.step()
    model.eval()
    total, n = 0.0, 0
    with torch.no_grad():
        for x, mask, y in test_loader:
            total += mse(model(x, mask), y).item() * len(y)
            n += len(y)
    print(epoch, loss.item(), total / n)
