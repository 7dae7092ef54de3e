"""Random network distillation: a random target that nothing trains, on purpose; bandit policy; normalised bonuses."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.manual_seed(0)


def mlp(o, act=nn.ReLU):
    return nn.Sequential(nn.Linear(4, 32), act(), nn.Linear(32, o))


target, predictor, policy = mlp(8), mlp(8), mlp(5, nn.Tanh)
opt_pred = torch.optim.Adam(predictor.parameters(), lr=1e-3)
opt_pi = torch.optim.Adam(policy.parameters(), lr=1e-3)
best = torch.randn(4, 5)
baseline = 0.0
for step in range(60):
    obs = torch.randn(24, 4)
    dist = Categorical(logits=policy(obs))
    action = dist.sample()
    pay = (obs @ best).gather(1, action.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        goal = target(obs)
    error = (predictor(obs) - goal).pow(2).mean(dim=1)
    bonus = error.detach()
    bonus = (bonus - bonus.mean()) / (bonus.std() + 1e-8)
    advantage = pay + 0.1 * bonus - baseline
    baseline = 0.9 * baseline + 0.1 * pay.mean().item()
    loss_pi = -(dist.log_prob(action) * advantage).mean() - 0.01 * dist.entropy().mean()
    opt_pi.zero_grad()
    loss_pi.backward()
    opt_pi.step()
    keep = (torch.rand(24) < 0.5).float()
    loss_pred = (error * keep).sum() / keep.sum().clamp(min=1)
    opt_pred.zero_grad()
    loss_pred.backward()
    opt_pred.step()
    if step % 20 == 19:
        print(step + 1, pay.mean().item(), loss_pred.item())
