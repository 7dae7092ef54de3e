import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class ActorCritic(nn.Module):
    def __init__(self, obs, acts):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 32), nn.Tanh())
        self.pi = nn.Linear(32, acts)
        self.v = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return self.pi(h), self.v(h).squeeze(-1)

net = ActorCritic(6, 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for update in range(4):
    obs = torch.randn(40, 6)
    returns = torch.randn(40)
    logits, value = net(obs)
    dist = torch.distributions.Categorical(logits=logits)
    action = dist.sample()
    advantage = returns - value
    policy_loss = -(dist.log_prob(action) * advantage.detach()).mean()
    value_loss = advantage.pow(2).mean()
    loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(update, f"{loss.item():.4f}")
