import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(5)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 3))
        self.critic = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 1))


net = ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(12):
    with torch.no_grad():
        obs = torch.randn(256, 6)
        dist = Categorical(logits=net.actor(obs))
        act = dist.sample()
        old_logp = dist.log_prob(act)
        reward = (act == obs[:, :3].argmax(1)).float()
        adv = reward - net.critic(obs).squeeze(-1)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(4):
        for mb in torch.randperm(256).split(64):
            dist = Categorical(logits=net.actor(obs[mb]))
            ratio = torch.exp(dist.log_prob(act[mb]) - old_logp[mb])
            surr1 = ratio * adv[mb]
            surr2 = torch.clamp(ratio, 0.8, 1.2) * adv[mb]
            policy_loss = -torch.min(surr1, surr2).mean()
            value_loss = (net.critic(obs[mb]).squeeze(-1) - reward[mb]).pow(2).mean()
            loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    if it % 4 == 3:
        print("iter", it, "reward", round(reward.mean().item(), 4))
