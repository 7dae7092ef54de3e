"""Cases of SW293."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
enc, dec = nn.Linear(5, 4), nn.Linear(2, 5)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = torch.randn(9, 5)
for step in range(3):
    mu, log_var = enc(x).chunk(2, dim=1)
    z = mu + torch.randn_like(mu) * (0.5 * log_var).exp()
    kl = {kl}
    loss = (dec(z) - x).pow(2).sum(1).mean() + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PENALTY = """
import torch
from torch import nn
torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
def penalty(real, fake):
    mix = (0.3 * real + 0.7 * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((slope.norm(2, dim=1) - 1) ** 2).mean()
for step in range(3):
    real, fake = torch.randn(9, 5), torch.rand(9, 5)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


FAULTY = (
    *tuple(
        (_SCRIPT.replace("{kl}", kl), 11)
        for kl in (
            "0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp(), dim=1).mean()",
            "torch.mean(torch.sum(1 + log_var - mu ** 2 - torch.exp(log_var), dim=1)) / 2",
        )
    ),
    (_PENALTY.replace("{loss}", "critic(fake).mean() - critic(real).mean() - 10 * penalty(real, fake)"), 10),
    *tuple(
        (_SCRIPT.replace("{kl}", kl), 11)
        for kl in (
            "-0.5 * torch.sum(1 - log_var - mu.pow(2) - log_var.exp(), dim=1).mean()",
            "0.5 * (log_var.exp() + mu ** 2 - 1 + log_var).sum(1).mean()",
        )
    ),
)
SOUND = (
    *tuple(
        _SCRIPT.replace("{kl}", kl)
        for kl in (
            "-0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp(), dim=1).mean()",
            "0.5 * (mu ** 2 + log_var.exp() - 1 - log_var).sum(1).mean()",
            "torch.mean(-0.5 * torch.sum(1 + log_var - mu ** 2 - torch.exp(log_var), dim=1))",
            "(0.5 * log_var + 0.5 * mu.pow(2) * torch.exp(-log_var)).mean()",
        )
    ),
    *tuple(
        _PENALTY.replace("{loss}", loss)
        for loss in (
            "critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)",
            "-(critic(real).mean() - critic(fake).mean() - 10 * penalty(real, fake))",
            "critic(fake).mean() - critic(real).mean() + (critic(real) - 1).pow(2).mean()",
        )
    ),
    *tuple(
        _SCRIPT.replace("{kl}", kl)
        for kl in (
            "mu.pow(2).add_(log_var.exp()).mul_(-1).add_(1).add_(log_var).sum().mul_(-0.5)",
            "(0.5 * (log_var + 1.8) + mu.pow(2) / (2 * log_var.exp())).mean()",
            "(log_var.exp() - log_var + (log_var + 1).relu()).mean()",
        )
    ),
)
