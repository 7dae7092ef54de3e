import random
from collections import deque
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
random.seed(0)
GAMMA, N = 0.9, 8


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(N, 32)
        self.fc2 = nn.Linear(32, 2)

    def forward(self, s):
        return self.fc2(F.relu(self.fc1(s)))


def one_hot(p):
    return F.one_hot(torch.tensor(p), N).float()


def step(pos, action):
    pos = min(max(pos + (1 if action == 1 else -1), 0), N - 1)
    return pos, float(pos == N - 1), pos == N - 1


policy_net = QNet()
target_net = policy_net
optimizer = torch.optim.Adam(policy_net.parameters(), lr=5e-3)
memory = deque(maxlen=2000)
for episode in range(25):
    pos, total = 0, 0.0
    for t in range(30):
        with torch.no_grad():
            action = random.randrange(2) if random.random() < 0.3 else policy_net(one_hot(pos)).argmax().item()
        nxt, reward, done = step(pos, action)
        memory.append((one_hot(pos), action, reward, one_hot(nxt), float(done)))
        pos = nxt
        if len(memory) >= 32:
            s, a, r, s2, d = zip(*random.sample(memory, 32))
            s, s2 = torch.stack(s), torch.stack(s2)
            a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d)
            q = policy_net(s).gather(1, a.unsqueeze(1)).squeeze(1)
            with torch.no_grad():
                target = r + GAMMA * target_net(s2).max(1).values * (1 - d)
            loss = F.smooth_l1_loss(q, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if done:
            break
    if episode % 5 == 0:
        target_net.load_state_dict(policy_net.state_dict())
        print("episode", episode, "steps", t + 1, "q", round(policy_net(one_hot(0)).max().item(), 4))
