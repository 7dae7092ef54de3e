"""Phases by an own step counter: the trunk is detached at first, dropout and an auxiliary loss come later, one optimiser steps rarely."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
WARMUP, RARE = 30, 12


class Phased(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU())
        self.head, self.aux = nn.Linear(24, 3), nn.Linear(24, 8)
        self.temperature = nn.Parameter(torch.ones(1))
        self.steps = 0

    def forward(self, x):
        h = self.trunk(x)
        if self.training:
            self.steps += 1
        if self.steps <= WARMUP:
            h = h.detach()
        return self.head(h), self.aux(h)


y = torch.randint(0, 3, (200,))
x = torch.randn(3, 8)[y] + 0.5 * torch.randn(200, 8)
loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
model = Phased()
main = [p for n, p in model.named_parameters() if n != "temperature"]
optimizer, rare = torch.optim.Adam(main, lr=3e-3), torch.optim.SGD([model.temperature], lr=0.1)
for epoch in range(4):
    for xb, yb in loader:
        logits, aux = model(xb)
        loss = F.cross_entropy(logits, yb)
        if model.steps > WARMUP:
            loss = loss + 0.1 * F.mse_loss(aux, xb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if model.steps % RARE == 0:
            rare.zero_grad()
            F.cross_entropy(model.head(model.trunk(xb)).detach() / model.temperature, yb).backward()
            rare.step()
    print(epoch, loss.item(), (logits.argmax(1) == yb).float().mean().item())
