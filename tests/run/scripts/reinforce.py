"""REINFORCE on CartPole with gymnasium: episodes, discounted returns, a policy of categorical actions."""
import gymnasium as gym
import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical

env = gym.make("CartPole-v1")
torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self, observations, actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(observations, 64), nn.ReLU(), nn.Linear(64, actions))

    def forward(self, x):
        return Categorical(logits=self.net(x))


policy = Policy(env.observation_space.shape[0], env.action_space.n)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(300):
    state, _ = env.reset(seed=episode)
    log_probs, rewards, done = [], [], False
    while not done:
        distribution = policy(torch.from_numpy(np.asarray(state)).float().unsqueeze(0))
        action = distribution.sample()
        log_probs.append(distribution.log_prob(action))
        state, reward, terminated, truncated, _ = env.step(action.item())
        rewards.append(reward)
        done = terminated or truncated
    returns, total = [], 0.0
    for reward in reversed(rewards):
        total = reward + 0.99 * total
        returns.insert(0, total)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    loss = -(torch.cat(log_probs) * returns).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if episode % 50 == 0:
        print(episode, sum(rewards))
env.close()
