"""A policy over four choices whose temperature holds its entropy near an aim, kept as a tensor like all other numbers."""

import math

import torch
from torch import nn

torch.manual_seed(0)
worth = torch.tensor([1.0, 0.8, 0.2, 0.0])
policy = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3)
aim = torch.tensor(0.6 * math.log(4), dtype=float, requires_grad=True)
log_heat = torch.tensor(math.log(0.2), dtype=float, requires_grad=True)
heat_optimizer = torch.optim.Adam([log_heat], lr=3e-3)
for step in range(200):
    state = torch.randn(64, 3)
    chosen = torch.distributions.Categorical(logits=policy(state))
    entropy = chosen.entropy()
    gain = (chosen.probs * worth).sum(1)
    loss = -(gain + log_heat.exp().detach() * entropy).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    heat_loss = (log_heat * (entropy - aim).detach()).mean()
    heat_optimizer.zero_grad()
    heat_loss.backward()
    heat_optimizer.step()
    if step % 50 == 49:
        print(step + 1, gain.mean().item(), entropy.mean().item(), log_heat.exp().item())
