"""Modules in lists registered by hand, lazily chosen branches, deep supervision, stochastic depth, an optimiser made in a method."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
random.seed(0)


class Branchy(nn.Module):
    def __init__(self, depth=4, dim=16, classes=3):
        super().__init__()
        self.inp = nn.Linear(8, dim)
        blocks = []
        for i in range(depth):
            block = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))
            setattr(self, f"block{i}", block)
            blocks.append(block)
        self._blocks = blocks
        self.exits = nn.ModuleDict({str(i): nn.Linear(dim, classes) for i in range(depth)})
        self.alpha = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(depth)])

    def forward(self, x):
        h, outs = self.inp(x), []
        for i, block in enumerate(self._blocks):
            if not self.training or random.random() > 0.3:
                h = h + self.alpha[i] * block(h)
            outs.append(self.exits[str(i)](h))
        return outs

    def configure(self):
        return torch.optim.AdamW(self.parameters(), lr=5e-3)


def run_epoch(model, loader, optimizer=None):
    training = optimizer is not None
    model.train(training)
    losses, hits = [], 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            outs = model(x)
            loss = torch.stack([F.cross_entropy(o, y) for o in outs]).mean()
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            losses.append(loss.item() * len(y))
            hits += (outs[-1].argmax(dim=1) == y).sum().item()
    n = len(loader.dataset)
    return sum(losses) / n, hits / n


y = torch.randint(0, 3, (200,))
x = torch.randn(3, 8)[y] + 0.8 * torch.randn(200, 8)
loaders = {"train": DataLoader(TensorDataset(x[:150], y[:150]), batch_size=25, shuffle=True), "val": DataLoader(TensorDataset(x[150:], y[150:]), batch_size=7)}
model = Branchy()
optimizer = model.configure()
for epoch in range(3):
    report = {}
    for phase in ("train", "val"):
        report[phase] = run_epoch(model, loaders[phase], optimizer if phase == "train" else None)
    print(epoch, report)
