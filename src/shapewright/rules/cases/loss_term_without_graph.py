"""Cases of SW342."""

PENALTY = """
import torch
from torch import nn
critic = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
maker = nn.Linear(3, 6)
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3)
opt_m = torch.optim.Adam(maker.parameters(), lr=1e-3)
for step in range(3):
    real = torch.randn(8, 6)
    made = maker(torch.randn(8, 3)).detach()
    mixed = (real * 0.5 + made * 0.5).requires_grad_(True)
    slope = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)[0]
    penalty = 10 * ((slope.norm(2, dim=1) - 1) ** 2).mean()
    loss = critic(made).mean() - critic(real).mean() + penalty
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    opt_m.zero_grad()
    (-critic(maker(torch.randn(8, 3))).mean()).backward()
    opt_m.step()
"""

FAULTY = (
    (PENALTY.replace(", create_graph=True", ""), 12),
    (PENALTY.replace("create_graph=True", "retain_graph=True"), 12),
    (
        """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    size = sum((p.data ** 2).sum() for p in net.parameters())
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean() + 1e-4 * size
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        8,
    ),
)

SOUND = (
    PENALTY,
    # a factor without a graph is a weight, not a term; neither are baselines of single numbers
    """
import torch
from torch import nn
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
aid = nn.Linear(6, 1)
opt = torch.optim.SGD([*net.parameters(), *aid.parameters()], lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    one, other = (net(x) - x.sum(1, keepdim=True)).pow(2).mean(), aid(x).pow(2).mean()
    size = torch.autograd.grad(one, net[2].weight, retain_graph=True)[0].norm()
    weight = (size / (other.detach() + 1e-4)).clamp(0, 10).detach()
    loss = one + weight * other
    gain = torch.randn(()) - aid(x[0])[0].detach()
    loss = loss - gain * torch.log(torch.sigmoid(net(x[0])[0]))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
