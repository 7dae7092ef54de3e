"""Loops of other kinds: a generator of batches, itertools, a nested function, losses by name in a dict, an exception as control flow, a for-else."""
import itertools
from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
rng = np.random.default_rng(0)


class Converged(Exception):
    pass


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for lo in range(0, len(x), size):
        take = order[lo:lo + size]
        yield torch.from_numpy(x[take]).float(), torch.from_numpy(y[take]).float().unsqueeze(1)


x = rng.normal(size=(203, 4))
y = np.sin(x[:, 0]) + 0.5 * x[:, 1]
train, valid = slice(0, 160), slice(160, None)
mean, std = x[train].mean(0), x[train].std(0)
x = (x - mean) / std
model = nn.Sequential(nn.Linear(4, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 1))
optimizer = torch.optim.NAdam(model.parameters(), lr=5e-3)
meters = defaultdict(list)


def validate():
    model.eval()
    with torch.no_grad():
        pairs = [(model(xb), yb) for xb, yb in batches(x[valid], y[valid], 16, rng)]
    model.train()
    pred, true = (torch.cat(part) for part in zip(*pairs))
    assert pred.shape == true.shape == (43, 1)
    return torch.mean((pred - true) ** 2).item()


def train_one(limit):
    seen = 0
    for xb, yb in batches(x[train], y[train], 16, rng):
        errors = {"fit": nn.functional.mse_loss(model(xb), yb), "size": 1e-4 * sum(p.abs().sum() for p in model.parameters())}
        loss = sum(errors.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, value in errors.items():
            meters[name].append(value.item())
        seen += len(xb)
        if seen >= limit:
            return
    else:
        meters["full"].append(1)


best, since = float("inf"), 0
try:
    for epoch in itertools.count(1):
        train_one(limit=40 * epoch)
        score = validate()
        meters["valid"].append(score)
        best, since = (score, 0) if score < best else (best, since + 1)
        if since > 2 or epoch >= 12:
            raise Converged
except Converged:
    print("stopped after", epoch, "epochs", best)
print({k: (len(v), round(float(np.mean(v[-5:])), 4)) for k, v in meters.items()})
