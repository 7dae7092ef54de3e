"""PPO over (time, envs): every table flattened in one order, minibatches by a permutation, differences along time."""
import torch
from torch import nn

torch.manual_seed(0)
T, N = 12, 5
actor, critic = nn.Linear(4, 3), nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3)
for update in range(4):
    obs = torch.randn(T + 1, N, 4)
    with torch.no_grad():
        dist = torch.distributions.Categorical(logits=actor(obs[:-1]))
        actions = dist.sample()
        logp, values = dist.log_prob(actions), critic(obs).squeeze(-1)
    rewards = (actions == obs[:-1, :, :3].argmax(-1)).float()
    delta = rewards + 0.99 * values[1:] - values[:-1]
    advantages, running = torch.zeros(T, N), torch.zeros(N)
    for t in reversed(range(T)):
        running = delta[t] + 0.94 * running
        advantages[t] = running
    returns = advantages + values[:-1]
    flat = [part.reshape(T * N, *part.shape[2:]) for part in (obs[:-1], actions, logp, advantages, returns)]
    for _ in range(2):
        for rows in torch.randperm(T * N).split(20):
            o, a, old, adv, ret = (part[rows] for part in flat)
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            now = torch.distributions.Categorical(logits=actor(o))
            ratio = (now.log_prob(a) - old).exp()
            loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() - 0.01 * now.entropy().mean()
            loss = loss + 0.5 * (critic(o).squeeze(-1) - ret).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    print("update", update, round(loss.item(), 4))
