"""A training function that returns from inside `while True`, with patience, a generator of endless batches and a best state."""
import copy

import torch
import torch.nn as nn

torch.manual_seed(0)
X = torch.randn(220, 5)
Y = (X @ torch.randn(5, 1) + 0.1 * torch.randn(220, 1))
train_x, train_y, val_x, val_y = X[:160], Y[:160], X[160:], Y[160:]


def endless(x, y, size):
    while True:
        order = torch.randperm(len(x))
        for i in range(0, len(x), size):
            idx = order[i:i + size]
            yield x[idx], y[idx]


def fit(model, patience=5, every=10, limit=400):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    stream = endless(train_x, train_y, 32)
    best, best_state, bad, step = float("inf"), None, 0, 0
    while True:
        xb, yb = next(stream)
        loss = nn.functional.mse_loss(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % every == 0:
            model.eval()
            with torch.no_grad():
                val = nn.functional.mse_loss(model(val_x), val_y).item()
            model.train()
            if val < best:
                best, best_state, bad = val, copy.deepcopy(model.state_dict()), 0
            else:
                bad += 1
            if bad >= patience or step >= limit:
                return best_state, best, step


net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
state, score, steps = fit(net)
net.load_state_dict(state)
net.eval()
with torch.no_grad():
    print(steps, score, (net(val_x) - val_y).abs().mean().item())
