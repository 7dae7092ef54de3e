"""Cases of SW294."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
enc, dec = nn.Linear(5, 4), nn.Linear(2, 5)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
x = torch.randn(9, 5)
for step in range(3):
    mu, log_var = enc(x).chunk(2, dim=1)
    std = {std}
    z = mu + torch.randn_like(std) * std
    kl = {kl}
    loss = (dec(z) - x).pow(2).sum(1).mean() + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_KL = "-0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp(), dim=1).mean()"

_MOVED = ("torch.randn_like(std) * std", "torch.randn(mu.size(0), mu.size(1)).to(x.device) * std")

_DRAWN = "z = torch.distributions.Normal(mu, std).rsample()"
_ADDED = "z = mu + torch.randn_like(std) * std"
_DOUBLED = "(0.5 * (mu.pow(2) + torch.exp(2 * log_var) - 1) - log_var).sum(1).mean()"

FAULTY = (
    (filled(_SCRIPT, std="torch.exp(log_var)", kl=_KL), 10),
    (filled(_SCRIPT, std="log_var.exp()", kl=_KL), 10),
    (filled(_SCRIPT, std="torch.exp(log_var)", kl=_KL).replace(*_MOVED), 10),
    (filled(_SCRIPT, std="torch.exp(log_var)", kl=_KL).replace(_ADDED, _DRAWN), 10),
    (filled(_SCRIPT, std="log_var.exp()", kl=_KL).replace(_ADDED, "z = torch.randn_like(std).mul_(std).add_(mu)"), 10),
    (filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_DOUBLED), 10),
    (filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL).replace("randn_like(std)", "rand_like(std)"), 11),
)

SOUND = (
    filled(_SCRIPT, std="torch.exp(0.5 * log_var)", kl=_KL).replace(*_MOVED),
    filled(_SCRIPT, std="torch.exp(0.5 * log_var)", kl=_KL),
    filled(_SCRIPT, std="log_var.mul(0.5).exp()", kl=_KL),
    filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL),
    filled(_SCRIPT, std="log_var.exp().sqrt()", kl=_KL),
    filled(
        _SCRIPT, std="torch.exp(log_var)", kl="0.5 * (mu.pow(2) + std.pow(2) - 1).sum(1).mean() - log_var.sum(1).mean()"
    ),
    filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL).replace(_ADDED, _DRAWN),
    filled(_SCRIPT, std="torch.exp(log_var)", kl=_DOUBLED).replace(_ADDED, _DRAWN),
    filled(_SCRIPT, std="torch.exp(log_var / 2)", kl=_KL).replace(_ADDED, _ADDED + " * (torch.rand_like(std) < 0.9)"),
)
