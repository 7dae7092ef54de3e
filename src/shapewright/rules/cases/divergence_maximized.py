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

_POLICY = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(9, 8), nn.Linear(8, 9)
    def forward(self, text):
        return self.out(self.words(text))
def told(net, text):
    return net(text[:, :-1]).log_softmax(-1).gather(2, text[:, 1:, None])[..., 0]
speaker = Speaker()
anchor = copy.deepcopy(speaker).requires_grad_(False)
opt = torch.optim.Adam(speaker.parameters(), lr=0.01)
for step in range(3):
    text = torch.randint(0, 9, (6, 1))
    with torch.no_grad():
        for _ in range(4):
            text = torch.cat([text, torch.multinomial(speaker(text)[:, -1].softmax(-1), 1)], 1)
        before, base = told(speaker, text), told(anchor, text)
        gain = {gain}
        gain[:, -1] += (text[:, 1:] < 4).float().mean(1)
        rest, ahead = torch.zeros_like(gain), 0.0
        for t in range(3, -1, -1):
            ahead = gain[:, t] + 0.95 * ahead
            rest[:, t] = ahead
        rest = (rest - rest.mean()) / (rest.std() + 1e-6)
    for _ in range(2):
        now = told(speaker, text)
        ratio = (now - before).exp()
        gap = base - now
        loss = -torch.min(ratio * rest, ratio.clamp(0.8, 1.2) * rest).mean() + {extra}
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


_SOFT = """
import torch
from torch import nn
torch.manual_seed(0)
old, net = nn.Linear(8, 5).requires_grad_(False), nn.Linear(8, 5)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(3):
    x = torch.randn(30, 8)
    a, b = old(x).log_softmax(1), net(x).log_softmax(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TAKEN_OFF = _SCRIPT.replace("{kl}", "-0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum(1).mean()").replace(
    "+ 0.1 * kl", "- 0.1 * kl"
)

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
    (_POLICY.replace("{gain}", "0.1 * (before - base)").replace("{extra}", "0"), 23),
    (_POLICY.replace("{gain}", "-0.1 * (base - before)").replace("{extra}", "0"), 23),
    (_POLICY.replace("{gain}", "0 * base").replace("{extra}", "0.1 * (gap.exp() - (now - base) - 1).mean()"), 34),
    (_SCRIPT.replace("{kl}", "-0.5 * torch.sum(1 + log_var - mu.pow(2) + log_var.exp(), dim=1).mean()"), 11),
    (_SOFT.replace("{loss}", "(a.exp() * (b - a)).sum(1).mean()"), 10),
    (_SOFT.replace("{loss}", "-((a.exp() * (a - b)).sum(1).mean())"), 10),
    (_SOFT.replace("{loss}", "(old(x).softmax(1) * b).sum(1).mean()"), 10),
    (_TAKEN_OFF, 12),
)
SOUND = (
    _POLICY.replace("{gain}", "-0.1 * (before - base)").replace("{extra}", "0"),
    _POLICY.replace("{gain}", "0.1 * (base - before)").replace("{extra}", "0.1 * (gap.exp() - gap - 1).mean()"),
    _POLICY.replace("{gain}", "0 * base").replace("{extra}", "0.1 * (gap.exp() + (now - base) - 1).mean()"),
    *tuple(
        _SCRIPT.replace("{kl}", kl)
        for kl in (
            "-0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp(), dim=1).mean()",
            "0.5 * (mu ** 2 + log_var.exp() - 1 - log_var).sum(1).mean()",
            "torch.mean(-0.5 * torch.sum(1 + log_var - mu ** 2 - torch.exp(log_var), dim=1))",
            "(mu.pow(2) + log_var.exp().sqrt() - 0.5 * log_var).mean()",
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
    _SOFT.replace("{loss}", "(a.exp() * (a - b)).sum(1).mean()"),
    _SOFT.replace("{loss}", "-(old(x).softmax(1) * b).sum(1).mean()"),
    _SOFT.replace("{loss}", "(b.exp() * (b - a)).sum(1).mean()"),
    _SOFT.replace("{loss}", "-(a.exp() * b).sum(1).mean() + 0.01 * (b.exp() * b).sum(1).mean()"),
    _TAKEN_OFF.replace(
        "(dec(z) - x).pow(2).sum(1).mean() - 0.1 * kl", "-(-0.1 * kl - (dec(z) - x).pow(2).sum(1).mean())"
    ),
)
