"""Truncated backpropagation with a carried state, and a policy whose rewards are scaled by the spread of a running discounted sum."""

import torch
from torch import nn

torch.manual_seed(1)
cell, head = nn.LSTM(3, 12, batch_first=True), nn.Linear(12, 1)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=1e-2)
series = torch.randn(6, 80, 3)
goal = series.sum(-1).roll(1, 1)
for epoch in range(2):
    state = None
    for start in range(0, 80, 20):
        out, state = cell(series[:, start:start + 20], state)
        state = tuple(part.detach() for part in state)
        loss = nn.functional.mse_loss(head(out).squeeze(-1), goal[:, start:start + 20])
        opt.zero_grad()
        loss.backward()
        opt.step()

policy, value = nn.Linear(4, 3), nn.Linear(4, 1)
both = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=1e-2)
gamma, running, scale_of = 0.97, 0.0, []
for episode in range(4):
    seen, chances, rewards = [], [], []
    for t in range(9):
        here = torch.randn(4)
        choice = torch.distributions.Categorical(logits=policy(here))
        move = choice.sample()
        reward = float(move == here[:3].argmax())
        running = reward + gamma * running
        scale_of.append(running)
        seen.append(here)
        chances.append(choice.log_prob(move))
        rewards.append(reward)
    scale = torch.tensor(scale_of).std() + 1e-6
    returns, total = [], 0.0
    for reward in rewards[::-1]:
        total = reward + gamma * total
        returns.append(total)
    returns = torch.tensor(returns[::-1]) / scale
    guess = value(torch.stack(seen)).squeeze(-1)
    advantage = returns - guess
    loss = -(torch.stack(chances) * advantage.detach()).mean() + 0.5 * advantage.pow(2).mean()
    both.zero_grad()
    loss.backward()
    both.step()
    print(episode, loss.item())
