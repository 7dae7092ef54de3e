"""Sort points by side, with meters that keep a sum, a count and an average: one of them counts batches, and its sum is
divided by the number of samples."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.sum = self.count = self.average = 0

    def update(self, value, count):
        self.sum += value * count
        self.count += count
        self.average = self.sum / self.count


torch.manual_seed(0)
x = torch.randn(3300, 5)
y = (x[:, 0] + x[:, 1] > 0).long()
train = DataLoader(TensorDataset(x[:300], y[:300]), batch_size=50, shuffle=True)
test = DataLoader(TensorDataset(x[300:], y[300:]), batch_size=50)
model = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
criterion = nn.CrossEntropyLoss()


def judge(epoch):
    model.eval()
    losses, matches = Meter(), Meter()
    for points, sides in test:
        with torch.no_grad():
            scores = model(points)
        loss = criterion(scores, sides).item()
        _, found = torch.max(scores, dim=1)
        right = found.eq(sides).sum().item()
        losses.update(loss, points.size(0))
        matches.update(right, 1)
    accuracy = matches.sum / len(test.dataset)
    print(f"{epoch} {losses.average:.4f} {accuracy:.4f}")


for epoch in range(5):
    model.train()
    for points, sides in train:
        optimizer.zero_grad()
        criterion(model(points), sides).backward()
        optimizer.step()
    judge(epoch)
