import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)
OBS, ACT, GAMMA, TAU, ALPHA = 4, 2, 0.98, 0.01, 0.1


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 48), nn.ReLU(), nn.Linear(48, o))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(OBS, 2 * ACT)

    def forward(self, obs):
        mu, log_std = self.net(obs).chunk(2, dim=-1)
        dist = torch.distributions.Normal(mu, log_std.clamp(-5, 2).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = (dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1, keepdim=True)
        return a, logp


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.q1, self.q2 = mlp(OBS + ACT, 1), mlp(OBS + ACT, 1)

    def forward(self, obs, act):
        x = torch.cat([obs, act], dim=-1)
        return self.q1(x), self.q2(x)


actor, critic = Actor(), Critic()
target = copy.deepcopy(critic).requires_grad_(False)
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
replay, obs = [], torch.zeros(OBS)
for step in range(200):
    with torch.no_grad():
        act, _ = actor(obs.unsqueeze(0))
    act = act.squeeze(0)
    nxt = (0.9 * obs + 0.3 * torch.cat([act, -act]) + 0.05 * torch.randn(OBS)).clamp(-2, 2)
    rew, done = -nxt.pow(2).sum().item(), random.random() < 0.03
    replay.append((obs, act, rew, nxt, float(done)))
    obs = torch.zeros(OBS) if done else nxt
    if len(replay) < 64:
        continue
    rows = random.sample(replay, 32)
    s, a, s2 = (torch.stack([r[k] for r in rows]) for k in (0, 1, 3))
    r = torch.tensor([row[2] for row in rows]).unsqueeze(1)
    d = torch.tensor([row[4] for row in rows]).view(-1, 1)
    with torch.no_grad():
        a2, logp2 = actor(s2)
        q_next = torch.min(*target(s2, a2)) - ALPHA * logp2
        backup = r + GAMMA * (1 - d) * q_next
    q1, q2 = critic(s, a)
    critic_loss = F.mse_loss(q1, backup) + F.mse_loss(q2, backup)
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    for p in critic.parameters():
        p.requires_grad_(False)
    a_new, logp = actor(s)
    actor_loss = (ALPHA * logp - torch.min(*critic(s, a_new))).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    with torch.no_grad():
        for p, tp in zip(critic.parameters(), target.parameters()):
            tp.mul_(1 - TAU).add_(TAU * p)
    if step % 50 == 49:
        print(step + 1, round(critic_loss.item(), 4), round(actor_loss.item(), 4))
