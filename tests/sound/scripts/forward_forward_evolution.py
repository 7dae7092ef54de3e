"""Training without one backward over all: layer-wise forward-forward, an evolution strategy without gradients, a linear probe, an early exit by break."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(0)
y = torch.randint(0, 3, (150,))
x = torch.randn(3, 9)[y] + 0.5 * torch.randn(150, 9)


class FFLayer(nn.Linear):
    def __init__(self, i, o, threshold=2.0):
        super().__init__(i, o)
        self.threshold = threshold
        self.opt = torch.optim.Adam(self.parameters(), lr=0.02)

    def forward(self, h):
        return torch.relu(F.linear(h / (h.norm(dim=1, keepdim=True) + 1e-4), self.weight, self.bias))

    def learn(self, pos, neg):
        gp, gn = self(pos).pow(2).mean(dim=1), self(neg).pow(2).mean(dim=1)
        loss = F.softplus(torch.cat([self.threshold - gp, gn - self.threshold])).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return self(pos).detach(), self(neg).detach(), loss.item()


def overlay(data, label):
    return torch.cat([F.one_hot(label, 3).float(), data], dim=1)


layers = [FFLayer(12, 32), FFLayer(32, 32)]
for epoch in range(15):
    wrong = (y + torch.randint(1, 3, y.shape)) % 3
    pos, neg = overlay(x, y), overlay(x, wrong)
    for layer in layers:
        pos, neg, loss = layer.learn(pos, neg)
    if loss < 0.05:
        break
goodness = []
with torch.no_grad():
    for c in range(3):
        h, total = overlay(x, torch.full_like(y, c)), 0.0
        for layer in layers:
            h = layer(h)
            total = total + h.pow(2).mean(dim=1)
        goodness.append(total)
print(epoch, loss, (torch.stack(goodness, dim=1).argmax(dim=1) == y).float().mean().item())

net = nn.Sequential(nn.Linear(9, 8), nn.Tanh(), nn.Linear(8, 3))
theta = parameters_to_vector(net.parameters()).detach()
for generation in range(15):
    noise = torch.randn(12, theta.numel())
    fitness = torch.empty(12)
    with torch.no_grad():
        for k in range(12):
            vector_to_parameters(theta + 0.1 * noise[k], net.parameters())
            fitness[k] = -F.cross_entropy(net(x), y)
    ranks = fitness.argsort().argsort().float() / 11 - 0.5
    theta = theta + 0.3 / (12 * 0.1) * noise.t() @ ranks
vector_to_parameters(theta, net.parameters())
with torch.no_grad():
    print(generation, fitness.max().item(), (net(x).argmax(dim=1) == y).float().mean().item())
