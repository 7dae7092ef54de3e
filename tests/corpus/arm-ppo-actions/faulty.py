import torch
import torch.nn as nn
from torch.distributions import Normal


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.log_std = nn.Parameter(torch.zeros(n_act))
        self.value = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, 1))

    def dist(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())


def collect(policy, n=48):
    obs = torch.randn(n, 5)
    with torch.no_grad():
        dist = policy.dist(obs)
        act = dist.sample()
        logp = dist.log_prob(act).sum(-1)
        value = policy.value(obs).squeeze(-1)
    reward = -(act - obs[:, :3]).pow(2).sum(-1)
    return obs, act, logp, reward - value, reward


torch.manual_seed(0)
policy = Policy(5, 3)
opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
for it in range(4):
    obs, act, old_logp, adv, ret = collect(policy)
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for idx in torch.randperm(48).split(16):
        dist = policy.dist(obs[idx])
        logp = dist.log_prob(act[idx])
        ratio = (logp - old_logp[idx]).exp()
        surrogate = torch.min(ratio * adv[idx], ratio.clamp(0.8, 1.2) * adv[idx])
        v_loss = (policy.value(obs[idx]).squeeze(-1) - ret[idx]).pow(2).mean()
        loss = -surrogate.mean() + 0.5 * v_loss
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(it, round(loss.item(), 4))
