"""REINFORCE with a recurrent policy that is rolled out one step at a time."""
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(3, 16), nn.Linear(16, 4)

    def forward(self, x, h):
        h = self.cell(x, h)
        return Categorical(logits=self.head(h)), h


policy = Policy()
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(5):
    h, obs = torch.zeros(8, 16), torch.randn(8, 3)
    logps, rewards = [], []
    for t in range(6):
        dist, h = policy(obs, h)
        action = dist.sample()
        logps.append(dist.log_prob(action))
        rewards.append((action == 1).float() - 0.25)
        obs = torch.randn(8, 3) + action.unsqueeze(1)
    returns = torch.stack(rewards).flip(0).cumsum(0).flip(0)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    loss = -(torch.stack(logps) * returns).sum(0).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
