"""Neural ODE by Euler and RK4 over (T, B, D), a Hamiltonian net whose forward needs autograd.grad, a loss over whole trajectories."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Field(nn.Module):
    def __init__(self, d=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 32), nn.Tanh(), nn.Linear(32, d))

    def forward(self, t, y):
        return self.net(y ** 3)


class Hamiltonian(nn.Module):
    def __init__(self):
        super().__init__()
        self.H = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, t, y):
        with torch.enable_grad():
            y = y if y.requires_grad else y.requires_grad_(True)
            dH = torch.autograd.grad(self.H(y).sum(), y, create_graph=True)[0]
        return torch.stack([dH[:, 1], -dH[:, 0]], dim=1)


def odeint(f, y, ts, method="euler"):
    ys = [y]
    for t0, t1 in zip(ts[:-1], ts[1:]):
        h = t1 - t0
        if method == "euler":
            y = y + h * f(t0, y)
        else:
            k1 = f(t0, y)
            k2 = f(t0 + h / 2, y + h / 2 * k1)
            k3 = f(t0 + h / 2, y + h / 2 * k2)
            k4 = f(t1, y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        ys.append(y)
    return torch.stack(ys)


A = torch.tensor([[-0.1, 1.0], [-1.0, -0.1]])
ts = torch.linspace(0, 4, 60)
with torch.no_grad():
    truth = odeint(lambda t, y: y @ A, torch.tensor([[2.0, 0.0]]), ts, "rk4")[:, 0]


def get_batch(n=12, span=8):
    start = torch.randint(0, len(ts) - span, (n,))
    y = torch.stack([truth[start + i] for i in range(span)], dim=0)
    return y[0], ts[:span], y


for model, method in ((Field(), "euler"), (Hamiltonian(), "rk4")):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for it in range(12):
        y0, t, y = get_batch()
        optimizer.zero_grad()
        pred = odeint(model, y0, t, method)
        loss = (pred - y).abs().mean()
        loss.backward()
        optimizer.step()
    print(type(model).__name__, loss.item())
    with torch.no_grad():
        whole = odeint(model, truth[:1].clone(), ts, method)
        print(F.l1_loss(whole.squeeze(1).detach(), truth).item())
