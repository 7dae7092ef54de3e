# cause: an absent module
import slow_start_of_rates
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, rounds):
        self.model, self.rounds = model, rounds
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        falling = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=10)
        self.pace = slow_start_of_rates.SlowStart(self.optimizer, multiplier=1.0, total=5, after=falling)

    def fit(self, loader):
        for _ in range(self.rounds):
            for features, kinds in loader:
                loss = nn.functional.cross_entropy(self.model(features), kinds)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        self.pace.step()


points = torch.randn(64, 8)
rows = TensorDataset(points, (points[:, 0] > 0).long())
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
Trainer(net, 1).fit(DataLoader(rows, batch_size=16, shuffle=True))
