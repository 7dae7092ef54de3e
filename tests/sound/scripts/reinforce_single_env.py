"""REINFORCE with one environment: unbatched observations, softmax over the only axis, returns normalised over the episode, eligibility by lists."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Pole:
    def reset(self):
        self.s = 0.1 * torch.randn(4)
        self.t = 0
        return self.s

    def step(self, a):
        x, v, th, w = self.s.tolist()
        force = 1.0 if a == 1 else -1.0
        v, w = v + 0.05 * force, w + 0.1 * th - 0.08 * force
        self.s = torch.tensor([x + 0.05 * v, v, th + 0.05 * w, w])
        self.t += 1
        return self.s, 1.0, bool(abs(self.s[2]) > 0.4 or self.t >= 60)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine, self.drop, self.action, self.value = nn.Linear(4, 32), nn.Dropout(0.1), nn.Linear(32, 2), nn.Linear(32, 1)
        self.saved, self.rewards = [], []

    def forward(self, x):
        h = F.relu(self.drop(self.affine(x)))
        return F.softmax(self.action(h), dim=-1), self.value(h)


def select(policy, state):
    probs, value = policy(state)
    m = torch.distributions.Categorical(probs)
    action = m.sample()
    policy.saved.append((m.log_prob(action), value))
    return action.item()


def finish(policy, optimizer):
    R, returns = 0, []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    p_losses, v_losses = [], []
    for (logp, value), R in zip(policy.saved, returns):
        p_losses.append(-logp * (R - value.item()))
        v_losses.append(F.smooth_l1_loss(value, R.unsqueeze(0)))
    loss = torch.stack(p_losses).sum() + torch.stack(v_losses).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del policy.saved[:], policy.rewards[:]
    return loss.item()


env, policy = Pole(), Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
running = 10.0
for episode in range(30):
    state, total = env.reset(), 0.0
    for t in range(1, 1000):
        action = select(policy, state)
        state, reward, done = env.step(action)
        policy.rewards.append(reward)
        total += reward
        if done:
            break
    running = 0.05 * total + 0.95 * running
    loss = finish(policy, optimizer)
    if running > 55:
        print("solved", episode)
        break
print(running, loss)
