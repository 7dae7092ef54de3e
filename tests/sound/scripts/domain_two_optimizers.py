"""Adversarial domain adaptation without gradient reversal: three optimisers, features as wide as the batch, the domain loss subtracted."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
features = nn.Sequential(nn.Linear(6, 12), nn.ReLU())
classes, domain = nn.Linear(12, 3), nn.Linear(12, 1)
optimizers = [torch.optim.Adam(part.parameters(), lr=1e-3) for part in (features, classes, domain)]
bce, ce = nn.BCEWithLogitsLoss(), nn.CrossEntropyLoss()
source = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12, shuffle=True)
target = DataLoader(torch.randn(48, 6) + 1, batch_size=12, shuffle=True)

for epoch in range(2):
    for (x, y), other in zip(source, target):
        here, there = features(x), features(other)
        both = torch.cat([here, there])
        origin = torch.cat([torch.ones(len(x), 1), torch.zeros(len(other), 1)])
        telling = bce(domain(both.detach()), origin)
        optimizers[2].zero_grad()
        telling.backward()
        optimizers[2].step()
        loss = ce(classes(here), y) - 0.1 * bce(domain(both), origin)
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss.backward()
        optimizers[0].step()
        optimizers[1].step()
    print(epoch, loss.item(), telling.item())
