"""Cases of SW294."""

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


def _script(std: str, kl: str) -> str:
    return _SCRIPT.replace("{std}", std).replace("{kl}", kl)


_KL = "-0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp(), dim=1).mean()"

_MOVED = ("torch.randn_like(std) * std", "torch.randn(mu.size(0), mu.size(1)).to(x.device) * std")

FAULTY = (
    (_script("torch.exp(log_var)", _KL), 10),
    (_script("log_var.exp()", _KL), 10),
    (_script("torch.exp(log_var)", _KL).replace(*_MOVED), 10),
)

SOUND = (
    _script("torch.exp(0.5 * log_var)", _KL).replace(*_MOVED),
    _script("torch.exp(0.5 * log_var)", _KL),
    _script("log_var.mul(0.5).exp()", _KL),
    _script("torch.exp(log_var / 2)", _KL),
    _script("log_var.exp().sqrt()", _KL),
    _script("torch.exp(log_var)", "0.5 * (mu.pow(2) + std.pow(2) - 1).sum(1).mean() - log_var.sum(1).mean()"),
)
