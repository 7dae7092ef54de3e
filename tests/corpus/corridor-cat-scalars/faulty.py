import random
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Corridor:
    def __init__(self, n=6):
        self.n = n

    def reset(self):
        self.s = 0
        return self.observe()

    def observe(self):
        return torch.eye(self.n)[self.s]

    def step(self, a):
        self.s = min(self.n - 1, max(0, self.s + (1 if a == 1 else -1)))
        done = self.s == self.n - 1
        return self.observe(), (1.0 if done else -0.05), done


class Policy(nn.Module):
    def __init__(self, n_obs=6, n_act=2):
        super().__init__()
        self.affine = nn.Linear(n_obs, 24)
        self.action_head = nn.Linear(24, n_act)
        self.saved_log_probs, self.rewards = [], []

    def forward(self, x):
        return torch.softmax(self.action_head(torch.relu(self.affine(x))), dim=-1)


def select_action(policy, state):
    m = Categorical(policy(state))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode(policy, optimizer, gamma=0.95):
    R, returns = 0, []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    log_probs = torch.cat(policy.saved_log_probs)
    loss = -(log_probs * returns).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return loss.item()


torch.manual_seed(0)
env, policy = Corridor(), Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(8):
    state = env.reset()
    for t in range(40):
        state, reward, done = env.step(select_action(policy, state))
        policy.rewards.append(reward)
        if done:
            break
    steps = len(policy.rewards)
    loss = finish_episode(policy, optimizer)
    if episode % 2 == 1:
        print("episode", episode, "steps", steps, "loss", round(loss, 3))
