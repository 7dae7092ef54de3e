"""DQN on a corridor: a replay buffer that must hold enough, epsilon by step, a target network, TD targets with `done`."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
random.seed(0)
Transition = namedtuple("Transition", "state action reward next_state done")


class Corridor:
    def __init__(self, n=8):
        self.n = n

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        return [self.pos / self.n, self.t / 40]

    def step(self, action):
        self.t += 1
        self.pos = max(0, self.pos + (1 if action == 1 else -1))
        done = self.pos >= self.n or self.t >= 40
        return self._obs(), float(self.pos >= self.n) - 0.01, done


class Replay:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, k):
        batch = Transition(*zip(*random.sample(self.memory, k)))
        return (torch.tensor(batch.state), torch.tensor(batch.action).unsqueeze(1), torch.tensor(batch.reward),
                torch.tensor(batch.next_state), torch.tensor(batch.done, dtype=torch.float32))

    def __len__(self):
        return len(self.memory)


def make():
    return nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))


env, memory, policy, target = Corridor(), Replay(2000), make(), make()
target.load_state_dict(policy.state_dict())
optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-3)
steps_done, returns = 0, []
for episode in range(30):
    state, done, total = env.reset(), False, 0.0
    while not done:
        eps = 0.05 + 0.9 * 0.99 ** steps_done
        if random.random() < eps:
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = policy(torch.tensor([state])).argmax(dim=1).item()
        nxt, reward, done = env.step(action)
        memory.push(state, action, reward, nxt, done)
        state, total, steps_done = nxt, total + reward, steps_done + 1
        if len(memory) < 64:
            continue
        s, a, r, s2, d = memory.sample(32)
        q = policy(s).gather(1, a).squeeze(1)
        with torch.no_grad():
            goal = r + 0.97 * (1 - d) * target(s2).max(dim=1).values
        loss = F.smooth_l1_loss(q, goal)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(policy.parameters(), 100)
        optimizer.step()
        if steps_done % 50 == 0:
            target.load_state_dict(policy.state_dict())
    returns.append(total)
print(len(memory), sum(returns[-10:]) / 10)
