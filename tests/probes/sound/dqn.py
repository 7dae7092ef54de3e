"""DQN with a target network, a replay memory, single-state acting and a rollout without gradients."""
import copy
import random
from collections import deque
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
random.seed(0)
net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target = copy.deepcopy(net)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
memory = deque(maxlen=500)
state = torch.randn(4)
for step in range(80):
    if random.random() < 0.2:
        action = random.randrange(2)
    else:
        with torch.no_grad():
            action = net(state.unsqueeze(0)).argmax(1).item()
    nxt, reward, done = torch.randn(4), random.random(), random.random() < 0.1
    memory.append((state, action, reward, nxt, done))
    state = nxt
    if len(memory) >= 16:
        s, a, r, n, d = zip(*random.sample(memory, 16))
        s, n = torch.stack(s), torch.stack(n)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float)
        q = net(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            wanted = r + 0.9 * target(n).max(1).values * (1 - d)
        loss = F.smooth_l1_loss(q, wanted)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            target.load_state_dict(net.state_dict())
print(loss.item())
