"""DANN with a gradient reversal layer, an MMD between two batches of unequal size, a centre loss, a memory bank by index."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from itertools import cycle
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.lam * g, None


def gaussian(a, b, sigma=2.0):
    d = (a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(dim=2)
    return torch.exp(-d / (2 * sigma ** 2))


def mmd(a, b):
    return gaussian(a, a).mean() + gaussian(b, b).mean() - 2 * gaussian(a, b).mean()


class Net(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.feat = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 12), nn.ReLU())
        self.label, self.domain = nn.Linear(12, classes), nn.Linear(12, 1)
        self.centres = nn.Parameter(torch.randn(classes, 12))

    def forward(self, x, lam=0.0):
        f = self.feat(x)
        return f, self.label(f), self.domain(Reverse.apply(f, lam)).squeeze(-1)


ys = torch.randint(0, 3, (150,))
xs, xt = torch.randn(3, 6)[ys] + 0.4 * torch.randn(150, 6), torch.randn(90, 6) + 0.5
source = DataLoader(TensorDataset(torch.arange(150), xs, ys), batch_size=20, shuffle=True)
target = DataLoader(TensorDataset(xt), batch_size=13, shuffle=True)
bank = torch.zeros(150, 12)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
for epoch in range(3):
    for step, ((index, x, y), (u,)) in enumerate(zip(source, cycle(target))):
        p = (epoch * len(source) + step) / (3 * len(source))
        lam = 2 / (1 + 2.718281828 ** (-10 * p)) - 1
        fs, logits, ds = model(x, lam)
        ft, _, dt = model(u, lam)
        domain = F.binary_cross_entropy_with_logits(torch.cat([ds, dt]), torch.cat([torch.ones_like(ds), torch.zeros_like(dt)]))
        centre = (fs - model.centres[y]).pow(2).sum(dim=1).mean()
        keep = bank[index]
        smooth = (fs - keep.detach()).pow(2).mean()
        loss = F.cross_entropy(logits, y) + domain + 0.1 * mmd(fs, ft) + 0.01 * centre + 0.01 * smooth
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            bank[index] = 0.5 * keep + 0.5 * fs
    print(epoch, loss.item())
