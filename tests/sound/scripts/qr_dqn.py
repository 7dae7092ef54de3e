"""Quantile-regression DQN: the pairwise (B, N, N) difference of targets and quantiles is meant."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
N, ACTIONS, OBS = 16, 3, 4
tau = (torch.arange(N).float() + 0.5) / N


class QuantileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBS, 64), nn.ReLU(), nn.Linear(64, ACTIONS * N))

    def forward(self, s):
        return self.body(s).view(-1, ACTIONS, N)


def quantile_huber(quantiles, goal):
    diff = goal.unsqueeze(1) - quantiles.unsqueeze(2)
    huber = torch.where(diff.abs() <= 1, 0.5 * diff.pow(2), diff.abs() - 0.5)
    weight = (tau.view(1, N, 1) - (diff.detach() < 0).float()).abs()
    return (weight * huber).mean(dim=2).sum(dim=1).mean()


net, target = QuantileNet(), QuantileNet()
target.load_state_dict(net.state_dict())
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
S, A = torch.randn(512, OBS), torch.randint(0, ACTIONS, (512,))
R = S[:, 0] * (A == 0) + torch.randn(512) * 0.2
S2, D = torch.randn(512, OBS), (torch.rand(512) < 0.1).float()
for step in range(60):
    i = torch.randint(0, 512, (32,))
    s, a, r, s2, d = S[i], A[i], R[i], S2[i], D[i]
    quantiles = net(s)[torch.arange(32), a]
    with torch.no_grad():
        nxt = target(s2)
        best = nxt.mean(dim=2).argmax(dim=1)
        goal = r[:, None] + 0.9 * (1 - d)[:, None] * nxt[torch.arange(32), best]
    loss = quantile_huber(quantiles, goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        target.load_state_dict(net.state_dict())
        print(step, loss.item())
