"""A2C with vector environments: (steps, envs) returns, a shared trunk, entropy; actions by Categorical."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(0)
ENVS, STEPS, GAMMA = 8, 8, 0.99


class VecGrid:
    def __init__(self, n, size=5):
        self.n, self.size = n, size
        self.pos = torch.randint(0, size, (n, 2))

    def obs(self):
        return self.pos.float() / self.size

    def step(self, action):
        moves = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])
        self.pos = (self.pos + moves[action]).clamp(0, self.size - 1)
        done = (self.pos == self.size - 1).all(dim=1)
        reward = done.float() - 0.01
        fresh = torch.randint(0, self.size, (self.n, 2))
        self.pos = torch.where(done[:, None], fresh, self.pos)
        return self.obs(), reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 4), nn.Linear(32, 1)

    def forward(self, x):
        h = self.trunk(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


env, model = VecGrid(ENVS), ActorCritic()
optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
obs = env.obs()
for update in range(20):
    logps, values, rewards, dones, entropies = [], [], [], [], []
    for _ in range(STEPS):
        dist, value = model(obs)
        action = dist.sample()
        obs, reward, done = env.step(action)
        logps.append(dist.log_prob(action))
        values.append(value)
        rewards.append(reward)
        dones.append(done)
        entropies.append(dist.entropy())
    with torch.no_grad():
        R = model(obs)[1]
    returns = []
    for r, d in zip(reversed(rewards), reversed(dones)):
        R = r + GAMMA * R * (1 - d)
        returns.insert(0, R)
    returns, values, logps = torch.stack(returns), torch.stack(values), torch.stack(logps)
    adv = returns - values
    loss = -(logps * adv.detach()).mean() + 0.5 * adv.pow(2).mean() - 0.01 * torch.stack(entropies).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    if update % 10 == 9:
        print(update + 1, loss.item(), torch.stack(rewards).sum().item())
