"""Matching networks, relation networks on episodes, a siamese pair model, deep sets, a set of points with global pooling."""
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
WAY, SHOT = 5, 3


class Matching(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(6, 8)

    def forward(self, support, labels, query):
        s, q = F.normalize(self.enc(support), dim=1), F.normalize(self.enc(query), dim=1)
        weights = (q @ s.t() * 5).softmax(dim=1)
        return weights @ F.one_hot(labels, WAY).float()


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(6, 8), nn.Tanh())

    def forward(self, a, b):
        return (self.enc(a) - self.enc(b)).norm(dim=1)


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 8), nn.Linear(16, 4)

    def forward(self, points):
        h = torch.relu(self.a(points))
        return self.b(torch.cat([h, h.amax(dim=0, keepdim=True).expand_as(h)], dim=1))


matching, siamese, points = Matching(), Siamese(), PointNet()
opt = torch.optim.Adam([*matching.parameters(), *siamese.parameters(), *points.parameters()])
for step in range(5):
    labels = torch.arange(WAY).repeat_interleave(SHOT)
    answers = matching(torch.randn(WAY * SHOT, 6), labels, torch.randn(WAY * SHOT, 6))
    loss = F.nll_loss((answers + 1e-6).log(), labels)
    same = torch.randint(0, 2, (8,)).float()
    far = siamese(torch.randn(8, 6), torch.randn(8, 6))
    loss = loss + (same * far.pow(2) + (1 - same) * (1 - far).clamp(min=0).pow(2)).mean()
    loss = loss + F.cross_entropy(points(torch.randn(40, 3)), torch.randint(0, 4, (40,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
