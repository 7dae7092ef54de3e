"""SAM as an optimiser subclass with two backward passes, then plain SGD by hand under no_grad, then a Lookahead wrapper."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self):
        norm = torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"] if p.grad is not None]).norm()
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                e = p.grad * (g["rho"] / (norm + 1e-12))
                p.add_(e)
                self.state[p]["e"] = e
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if "e" in self.state[p]:
                    p.sub_(self.state[p]["e"])
        self.base.step()
        self.zero_grad()

    def step(self, closure=None):
        self.first_step()
        with torch.enable_grad():
            closure()
        self.second_step()


x = torch.randn(121, 6)
y = (x[:, 0] > x[:, 1]).long()
loader = DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = SAM(model.parameters(), torch.optim.SGD, lr=0.1, momentum=0.9)
for epoch in range(3):
    for xb, yb in loader:
        loss = F.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.first_step()
        F.cross_entropy(model(xb), yb).backward()
        optimizer.second_step()
    print("sam", epoch, loss.item())

w1, b1 = (0.5 * torch.randn(6, 16)).requires_grad_(), torch.zeros(16, requires_grad=True)
w2, b2 = (0.5 * torch.randn(16, 2)).requires_grad_(), torch.zeros(2, requires_grad=True)
for epoch in range(3):
    for xb, yb in loader:
        logits = torch.relu(xb @ w1 + b1) @ w2 + b2
        loss = F.cross_entropy(logits, yb)
        loss.backward()
        with torch.no_grad():
            for p in (w1, b1, w2, b2):
                p -= 0.1 * p.grad
                p.grad = None
    print("hand", epoch, loss.item(), (logits.argmax(1) == yb).float().mean().item())


class Lookahead:
    def __init__(self, inner, k=3, alpha=0.5):
        self.inner, self.k, self.alpha, self.n = inner, k, alpha, 0
        self.slow = [[p.detach().clone() for p in g["params"]] for g in inner.param_groups]

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self):
        self.inner.step()
        self.n += 1
        if self.n % self.k == 0:
            for g, slow in zip(self.inner.param_groups, self.slow):
                for p, s in zip(g["params"], slow):
                    s.add_(p.data - s, alpha=self.alpha)
                    p.data.copy_(s)


net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
look = Lookahead(torch.optim.Adam(net.parameters(), lr=1e-2))
for epoch in range(2):
    for xb, yb in loader:
        look.zero_grad()
        loss = F.cross_entropy(net(xb), yb)
        loss.backward()
        look.step()
    print("lookahead", epoch, loss.item())
