import torch
import torch.nn as nn

torch.manual_seed(0)
LATENT, CRITIC_STEPS = 8, 3


class G(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(LATENT, 16 * 3 * 3)
        self.up = nn.Sequential(nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.up(self.fc(z).view(-1, 16, 3, 3))


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 16, 3, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(144, 1))

    def forward(self, x):
        return self.net(x).view(-1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True)
    return ((grad.flatten(1).norm(dim=1) - 1) ** 2).mean()


def real_batch(n):
    x = -torch.ones(n, 1, 12, 12)
    for i in range(n):
        a = int(torch.randint(1, 9, (1,)))
        x[i, 0, a:a + 3] = 1.0
    return x


gen, critic = G(), D()
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
for step in range(15):
    for _ in range(CRITIC_STEPS):
        real = real_batch(16)
        fake = gen(torch.randn(16, LATENT)).detach()
        d_loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
    g_loss = -critic(gen(torch.randn(16, LATENT))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    if step % 5 == 4:
        print(step + 1, round(d_loss.item(), 4), round(g_loss.item(), 4))
