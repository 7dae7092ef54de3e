"""PINN: second derivatives by autograd.grad, boundary and interior losses, Adam and then LBFGS with a closure."""
import torch
import torch.nn as nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def derivative(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(net, x, t, nu=0.1):
    u = net(x, t)
    u_x, u_t = derivative(u, x), derivative(u, t)
    return u_t + u * u_x - nu * derivative(u_x, x)


net = Net()
mse = nn.MSELoss()
x0 = torch.linspace(-1, 1, 32).view(-1, 1)
u0 = -torch.sin(torch.pi * x0)
t_edge = torch.rand(32, 1)


def total_loss():
    x = (torch.rand(100, 1) * 2 - 1).requires_grad_()
    t = torch.rand(100, 1, requires_grad=True)
    r = residual(net, x, t)
    start = mse(net(x0, torch.zeros_like(x0)), u0)
    edge = net(torch.ones_like(t_edge), t_edge).pow(2).mean() + net(-torch.ones_like(t_edge), t_edge).pow(2).mean()
    return r.pow(2).mean() + start + edge


adam = torch.optim.Adam(net.parameters(), lr=1e-2)
for it in range(40):
    adam.zero_grad()
    loss = total_loss()
    loss.backward()
    adam.step()
lbfgs = torch.optim.LBFGS(net.parameters(), max_iter=5, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = total_loss()
    loss.backward()
    return loss


for it in range(3):
    loss = lbfgs.step(closure)
    print(it, loss.item())
