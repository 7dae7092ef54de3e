"""Meta-learning: inner steps by functional calls, an outer optimiser; a hypernetwork; SWA."""
import copy
import torch
from torch import nn
from torch.nn import functional as F
from torch.func import functional_call
from torch.optim.swa_utils import AveragedModel, update_bn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
outer = torch.optim.Adam(net.parameters(), lr=1e-2)
for it in range(4):
    outer.zero_grad()
    total = 0.0
    for task in range(3):
        shift = torch.rand(1) * 3
        x = torch.rand(10, 1) * 6 - 3
        y = torch.sin(x + shift)
        weights = dict(net.named_parameters())
        inner = F.mse_loss(functional_call(net, weights, (x[:5],)), y[:5])
        grads = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
        fast = {name: w - 0.1 * g for (name, w), g in zip(weights.items(), grads)}
        total = total + F.mse_loss(functional_call(net, fast, (x[5:],)), y[5:])
    (total / 3).backward()
    outer.step()


class Hyper(nn.Module):
    def __init__(self):
        super().__init__()
        self.make = nn.Linear(2, 3 * 4)

    def forward(self, x, context):
        weight = self.make(context).view(-1, 4, 3)
        return torch.bmm(weight, x.unsqueeze(2)).squeeze(2)


hyper = Hyper()
average = AveragedModel(hyper)
opt = torch.optim.SGD(hyper.parameters(), lr=0.1, momentum=0.9)
for it in range(4):
    loss = F.mse_loss(hyper(torch.randn(8, 3), torch.randn(8, 2)), torch.randn(8, 4))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    average.update_parameters(hyper)
with torch.no_grad():
    print(F.mse_loss(average(torch.randn(8, 3), torch.randn(8, 2)), torch.randn(8, 4)).item())
