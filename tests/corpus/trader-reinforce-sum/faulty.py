import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

policy = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(4):
    states = torch.randn(30, 8)
    dist = torch.distributions.Categorical(logits=policy(states))
    actions = dist.sample()
    rewards = torch.randn(30) + actions
    advantages = rewards - rewards.mean()
    log_prob = dist.log_prob(actions).mean()
    loss = -(log_prob * advantages).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(episode, f"{loss.item():.4f}")
