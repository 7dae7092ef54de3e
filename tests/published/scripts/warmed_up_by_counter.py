# cause: a training that begins after so many steps of a long loop
import argparse
import itertools

import gymnasium as gym
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--env", default="HalfCheetah-v4")
parser.add_argument("--warm-up", type=int, default=80_000)
parser.add_argument("--batch-size", type=int, default=256)
args = parser.parse_args()


class Critic(nn.Module):
    def __init__(self, observed, acted):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(observed + acted, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, seen, act):
        return self.body(torch.cat([seen, act], dim=1))


env = gym.make(args.env)
observed, acted = env.observation_space.shape[0], env.action_space.shape[0]
actor = nn.Sequential(nn.Linear(observed, 64), nn.ReLU(), nn.Linear(64, acted), nn.Tanh())
critic, target = Critic(observed, acted), Critic(observed, acted)
target.load_state_dict(critic.state_dict())
actor_optimizer = optim.Adam(actor.parameters(), lr=3e-4)
critic_optimizer = optim.Adam(critic.parameters(), lr=3e-4)
kept = []
seen, _ = env.reset(seed=1)
for step in itertools.count(1):
    if step > 1_000_000:
        break
    if step <= args.warm_up:
        act = env.action_space.sample()
    else:
        with torch.no_grad():
            act = actor(torch.tensor(seen, dtype=torch.float32)).numpy()
        act = (act + np.random.normal(0, 0.1, size=acted)).clip(-1, 1)
    later, reward, ended, stopped, _ = env.step(act)
    kept.append((seen, act, [reward], later, [float(ended)]))
    seen = later if not (ended or stopped) else env.reset()[0]

    if step <= args.warm_up:
        continue
    rows = np.random.randint(0, len(kept), size=args.batch_size)
    batch = [torch.tensor(np.array(part), dtype=torch.float32) for part in zip(*(kept[row] for row in rows))]
    before, acts, rewards, after, ends = batch
    with torch.no_grad():
        wanted = rewards + 0.99 * (1 - ends) * target(after, actor(after))
    critic_loss = F.mse_loss(critic(before, acts), wanted)
    critic_optimizer.zero_grad()
    critic_loss.backward()
    critic_optimizer.step()
    actor_loss = -critic(before, actor(before)).mean()
    actor_optimizer.zero_grad()
    actor_loss.backward()
    actor_optimizer.step()
    with torch.no_grad():
        for own, other in zip(target.parameters(), critic.parameters()):
            own.mul_(0.995).add_(0.005 * other)
