import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(3, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved, self.rewards = [], []

    def forward(self, x):
        x = torch.relu(self.affine(x))
        return self.action_head(x).softmax(dim=-1), self.value_head(x)


def select_action(model, state):
    probs, value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved.append((m.log_prob(action), value))
    return action.item()


def finish(model, optimizer, gamma=0.95):
    R, returns = 0.0, []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    pl, vl = [], []
    for (logp, value), R in zip(model.saved, returns):
        pl.append(-logp * (R - value.item()))
        vl.append(nn.functional.smooth_l1_loss(value, R.view(1)))
    loss = torch.stack(pl).sum() + torch.stack(vl).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.rewards.clear()
    model.saved.clear()
    return loss.item()


model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
running = 0.0
for episode in range(12):
    state = torch.randn(3)
    for t in range(20):
        a = select_action(model, state)
        state = 0.9 * state + (0.2 if a else -0.2) + 0.05 * torch.randn(3)
        model.rewards.append(1.0 - state.abs().mean().item())
        if state.abs().max() > 2.5:
            break
    running = 0.9 * running + 0.1 * sum(model.rewards)
    loss = finish(model, optimizer)
    if episode % 4 == 3:
        print(episode, round(running, 3), round(loss, 3))
