"""SAC: twin critics with (B, 1) values throughout, learned temperature, soft target updates, a NumPy replay buffer."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

torch.manual_seed(0)
np.random.seed(0)
OBS, ACT = 3, 2


class Buffer:
    def __init__(self, size):
        self.s, self.s2 = np.zeros((size, OBS), np.float32), np.zeros((size, OBS), np.float32)
        self.a, self.r, self.d = np.zeros((size, ACT), np.float32), np.zeros((size, 1), np.float32), np.zeros((size, 1), np.float32)
        self.max, self.ptr, self.size = size, 0, 0

    def add(self, s, a, r, s2, d):
        i = self.ptr
        self.s[i], self.a[i], self.r[i], self.s2[i], self.d[i] = s, a, r, s2, d
        self.ptr, self.size = (i + 1) % self.max, min(self.size + 1, self.max)

    def sample(self, n):
        i = np.random.randint(0, self.size, size=n)
        return [torch.from_numpy(x[i]) for x in (self.s, self.a, self.r, self.s2, self.d)]


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.mu, self.ls = nn.Sequential(nn.Linear(OBS, 32), nn.ReLU()), nn.Linear(32, ACT), nn.Linear(32, ACT)

    def forward(self, s):
        h = self.body(s)
        dist = Normal(self.mu(h), self.ls(h).clamp(-5, 2).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = (dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(dim=1, keepdim=True)
        return a, logp


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(OBS + ACT, 32), nn.ReLU(), nn.Linear(32, 1))
        self.q2 = nn.Sequential(nn.Linear(OBS + ACT, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s, a):
        sa = torch.cat([s, a], dim=1)
        return self.q1(sa), self.q2(sa)


actor, critic = Actor(), Critic()
target = copy.deepcopy(critic).requires_grad_(False)
log_alpha = torch.zeros(1, requires_grad=True)
opt_a, opt_c = torch.optim.Adam(actor.parameters(), lr=3e-3), torch.optim.Adam(critic.parameters(), lr=3e-3)
opt_t = torch.optim.Adam([log_alpha], lr=3e-3)
buffer, state = Buffer(1000), np.zeros(OBS, np.float32)
for step in range(160):
    if step < 64:
        action = np.random.uniform(-1, 1, ACT)
    else:
        with torch.no_grad():
            action = actor(torch.from_numpy(state).unsqueeze(0))[0].squeeze(0).numpy()
    nxt = (0.9 * state + 0.1 * np.concatenate([action, [action.sum()]])).astype(np.float32)
    done = float(step % 40 == 39)
    buffer.add(state, action, -np.square(nxt - 0.5).sum(), nxt, done)
    state = np.zeros(OBS, np.float32) if done else nxt
    if step < 64:
        continue
    s, a, r, s2, d = buffer.sample(32)
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, lp2 = actor(s2)
        t1, t2 = target(s2, a2)
        goal = r + 0.97 * (1 - d) * (torch.min(t1, t2) - alpha * lp2)
    q1, q2 = critic(s, a)
    loss_c = F.mse_loss(q1, goal) + F.mse_loss(q2, goal)
    opt_c.zero_grad()
    loss_c.backward()
    opt_c.step()
    pi, logp = actor(s)
    loss_a = (alpha * logp - torch.min(*critic(s, pi))).mean()
    opt_a.zero_grad()
    loss_a.backward()
    opt_a.step()
    loss_t = -(log_alpha * (logp.detach() - ACT)).mean()
    opt_t.zero_grad()
    loss_t.backward()
    opt_t.step()
    with torch.no_grad():
        for p, tp in zip(critic.parameters(), target.parameters()):
            tp.lerp_(p, 0.01)
print(loss_c.item(), loss_a.item(), log_alpha.exp().item())
