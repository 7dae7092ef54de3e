"""WGAN-GP: five critic steps a generator step, a gradient penalty through autograd.grad."""
import torch
import torch.nn as nn
from torch.autograd import grad

torch.manual_seed(0)


class Critic(nn.Module):
    def __init__(self, dim=2):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    scores = critic(mixed)
    g = grad(scores, mixed, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


def real_batch(n):
    angle = torch.randint(0, 8, (n,)) * (2 * torch.pi / 8)
    centre = torch.stack([angle.cos(), angle.sin()], dim=1)
    return centre + 0.05 * torch.randn(n, 2)


gen = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2))
critic = Critic()
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
for step in range(40):
    for _ in range(5):
        real = real_batch(64)
        fake = gen(torch.randn(64, 4)).detach()
        loss_c = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    loss_g = -critic(gen(torch.randn(64, 4))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    if (step + 1) % 20 == 0:
        print(step + 1, loss_c.item(), loss_g.item())
