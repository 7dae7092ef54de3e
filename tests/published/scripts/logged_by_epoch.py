# cause: a log of each epoch that the end of an episode fills
import random

import numpy as np
import torch
from torch import nn


class Log:
    def __init__(self):
        self.kept, self.row = {}, {}

    def store(self, **values):
        for name, value in values.items():
            self.kept.setdefault(name, []).append(value)

    def tell(self, name):
        values = self.kept[name]
        self.row[name] = values[0] * 0 + np.mean(values)
        self.row[f"{name} most"] = max(values)
        self.kept[name] = []

    def show(self):
        print(" ".join(f"{name} {value:.3f}" for name, value in self.row.items()))


def train(steps=6_000_000, per_epoch=1500, begin=500, size=32):
    network = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    log, memory, seen, gained = Log(), [], np.random.randn(4), 0.0
    for step in range(steps):
        act = random.randrange(2)
        later, reward = np.random.randn(4), float(act)
        memory.append((seen, act, reward))
        gained, seen = gained + reward, later
        if step % 37 == 36:
            log.store(gained=gained)
            gained = 0.0
        if step >= begin and step % 50 == 0:
            batch = random.sample(memory, size)
            states = torch.tensor(np.stack([one[0] for one in batch]), dtype=torch.float32)
            acts, rewards = torch.tensor([one[1] for one in batch]), torch.tensor([one[2] for one in batch])
            values = network(states).gather(1, acts[:, None]).squeeze(1)
            loss = nn.functional.mse_loss(values, rewards)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            log.store(loss=loss.item())
        if (step + 1) % per_epoch == 0:
            log.tell("gained")
            log.tell("loss")
            log.show()


train()
