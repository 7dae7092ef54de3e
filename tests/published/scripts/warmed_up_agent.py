# cause: a training that begins after so many steps of an agent that counts them itself
import random

import gym
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim


class Memory:
    def __init__(self, capacity, observed):
        self.capacity, self.count = capacity, 0
        self.seen = np.zeros((capacity, observed), dtype=np.float32)
        self.later = np.zeros((capacity, observed), dtype=np.float32)
        self.acts = np.zeros(capacity, dtype=np.int64)
        self.rewards = np.zeros(capacity, dtype=np.float32)
        self.ends = np.zeros(capacity, dtype=np.float32)

    def keep(self, seen, act, reward, later, end):
        row = self.count % self.capacity
        self.seen[row], self.later[row] = seen, later
        self.acts[row], self.rewards[row], self.ends[row] = act, reward, float(end)
        self.count += 1

    def draw(self, size):
        rows = np.random.choice(min(self.count, self.capacity), size, replace=False)
        parts = (self.seen, self.acts, self.rewards, self.later, self.ends)
        return [torch.from_numpy(part[rows]) for part in parts]


class Agent:
    def __init__(self, observed, moves, start=200_000, size=64):
        self.moves, self.start, self.size, self.age = moves, start, size, 0
        self.online, self.target = (
            nn.Sequential(nn.Linear(observed, 64), nn.ReLU(), nn.Linear(64, moves)) for _ in range(2)
        )
        self.target.load_state_dict(self.online.state_dict())
        self.memory = Memory(300_000, observed)
        self.optimizer = optim.Adam(self.online.parameters(), lr=5e-4)

    @torch.no_grad()
    def move(self, seen):
        if random.random() < 0.1:
            return random.randrange(self.moves)
        return self.online(torch.as_tensor(seen, dtype=torch.float32).unsqueeze(0)).argmax(dim=1).item()

    def learn(self):
        self.age += 1
        if self.age < self.start:
            return
        seen, acts, rewards, later, ends = self.memory.draw(self.size)
        values = self.online(seen).gather(1, acts.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            wanted = rewards + 0.99 * (1 - ends) * self.target(later).max(dim=1).values
        loss = F.smooth_l1_loss(values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        if self.age % 500 == 0:
            self.target.load_state_dict(self.online.state_dict())


env = gym.make("LunarLander-v2")
agent = Agent(env.observation_space.shape[0], env.action_space.n)
played = 0
while played < 1_000_000:
    seen, _ = env.reset()
    over = False
    while not over:
        act = agent.move(seen)
        later, reward, ended, stopped, _ = env.step(act)
        over = ended or stopped
        agent.memory.keep(seen, act, reward, later, ended)
        agent.learn()
        seen = later
        played += 1
