"""Fitted Q: one batch of transitions, whose next states are mostly states of the same batch."""

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
path, gains = torch.randn(64, 6), torch.randn(63)
rows = np.random.default_rng(0).permutation(63)[:60]
seen, later, reward = path[:-1][rows], path[1:][rows], gains[rows]
online, target = nn.Linear(6, 3), nn.Linear(6, 3)
target.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters(), lr=1e-3)
for step in range(6):
    values = online(seen).max(1).values
    with torch.no_grad():
        wanted = reward + 0.9 * target(later).max(1).values
    loss = nn.functional.smooth_l1_loss(values, wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2:
        target.load_state_dict(online.state_dict())
print(loss.item())
