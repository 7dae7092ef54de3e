import random
from collections import deque

import torch
import torch.nn as nn

N_QUANT, GAMMA, BATCH = 11, 0.97, 32
torch.manual_seed(0)
random.seed(0)


class QuantileNet(nn.Module):
    def __init__(self, obs=3, actions=2):
        super().__init__()
        self.actions = actions
        self.net = nn.Sequential(nn.Linear(obs, 48), nn.ReLU(), nn.Linear(48, actions * N_QUANT))

    def forward(self, s):
        return self.net(s).view(-1, self.actions, N_QUANT)


def env_step(s, a):
    nxt = (s + 0.1 * torch.randn(3) + (0.1 if a else -0.1)).clamp(-1, 1)
    return nxt, float(-nxt.abs().sum()) + random.gauss(0, 0.2), random.random() < 0.05


online, target = QuantileNet(), QuantileNet()
target.load_state_dict(online.state_dict())
optimizer = torch.optim.Adam(online.parameters(), lr=1e-3)
tau = ((torch.arange(N_QUANT) + 0.5) / N_QUANT)
memory = deque(maxlen=1000)

s = torch.zeros(3)
for step in range(300):
    with torch.no_grad():
        a = random.randrange(2) if random.random() < 0.2 else online(s.unsqueeze(0)).mean(-1).argmax(1).item()
    nxt, r, done = env_step(s, a)
    memory.append((s, a, r, nxt, done))
    s = torch.zeros(3) if done else nxt
    if len(memory) < 64:
        continue
    batch = random.sample(memory, BATCH)
    states = torch.stack([b[0] for b in batch])
    acts = torch.tensor([b[1] for b in batch])
    rewards = torch.tensor([b[2] for b in batch]).unsqueeze(1)
    nexts = torch.stack([b[3] for b in batch])
    dones = torch.tensor([float(b[4]) for b in batch]).unsqueeze(1)
    theta = online(states)[torch.arange(BATCH), acts]
    with torch.no_grad():
        best = target(nexts).mean(-1).argmax(1)
        goal = rewards + GAMMA * (1 - dones) * target(nexts)[torch.arange(BATCH), best]
    td = goal.unsqueeze(1) - theta.unsqueeze(2)
    huber = torch.where(td.abs() <= 1, 0.5 * td.pow(2), td.abs() - 0.5)
    loss = ((tau.view(1, -1, 1) - (td.detach() < 0).float()).abs() * huber).sum(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        target.load_state_dict(online.state_dict())
    if step % 100 == 99:
        print("step", step + 1, "loss", round(loss.item(), 4))
