# cause: a rollout of thousands of steps that has to be full before the first update
import gymnasium as gym
import numpy as np
import torch
from torch import nn, optim
from torch.distributions import Categorical


class Rollout:
    def __init__(self, size, observed):
        self.seen, self.acts = np.zeros((size, observed), dtype=np.float32), np.zeros(size, dtype=np.int64)
        self.rewards, self.values = np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.float32)
        self.returns = np.zeros(size, dtype=np.float32)
        self.logged = np.zeros(size, dtype=np.float32)
        self.at, self.begins, self.size = 0, 0, size

    def keep(self, seen, act, reward, value, logged):
        assert self.at < self.size
        self.seen[self.at], self.acts[self.at] = seen, act
        self.rewards[self.at], self.values[self.at], self.logged[self.at] = reward, value, logged
        self.at += 1

    def end(self, value=0.0):
        for row in reversed(range(self.begins, self.at)):
            value = self.rewards[row] + 0.99 * value
            self.returns[row] = value
        self.begins = self.at

    def all(self):
        assert self.at == self.size
        self.at = self.begins = 0
        gains = self.returns - self.values
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        return [torch.as_tensor(part) for part in (self.seen, self.acts, gains, self.returns, self.logged)]


def ppo(make, steps=3000, epochs=50):
    env = make()
    observed, moves = env.observation_space.shape[0], env.action_space.n
    policy = nn.Sequential(nn.Linear(observed, 32), nn.Tanh(), nn.Linear(32, moves))
    value = nn.Sequential(nn.Linear(observed, 32), nn.Tanh(), nn.Linear(32, 1))
    policy_optimizer = optim.Adam(policy.parameters(), lr=3e-4)
    value_optimizer = optim.Adam(value.parameters(), lr=1e-3)
    rollout = Rollout(steps, observed)
    seen, length = env.reset()[0], 0
    for epoch in range(epochs):
        for step in range(steps):
            with torch.no_grad():
                here = torch.as_tensor(seen, dtype=torch.float32)
                spread = Categorical(logits=policy(here))
                act = spread.sample()
                rollout_value, logged = value(here).item(), spread.log_prob(act).item()
            later, reward, ended, stopped, _ = env.step(act.item())
            rollout.keep(seen, act.item(), reward, rollout_value, logged)
            seen, length = later, length + 1
            cut = stopped or length == 500 or step == steps - 1
            if ended or cut:
                last = 0.0 if ended else value(torch.as_tensor(seen, dtype=torch.float32)).item()
                rollout.end(last)
                seen, length = env.reset()[0], 0
        states, acts, gains, returns, logged = rollout.all()
        for _ in range(20):
            ratio = (Categorical(logits=policy(states)).log_prob(acts) - logged).exp()
            loss = -torch.min(ratio * gains, ratio.clamp(0.8, 1.2) * gains).mean()
            policy_optimizer.zero_grad()
            loss.backward()
            policy_optimizer.step()
        for _ in range(20):
            value_loss = (value(states).squeeze(1) - returns).pow(2).mean()
            value_optimizer.zero_grad()
            value_loss.backward()
            value_optimizer.step()


if __name__ == "__main__":
    ppo(lambda: gym.make("CartPole-v1"))
