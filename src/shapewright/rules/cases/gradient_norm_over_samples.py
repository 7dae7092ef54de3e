"""Cases of SW272."""

_GAN = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
critic = nn.Sequential(nn.Flatten(), nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters())
for (real,) in DataLoader(TensorDataset(torch.randn(24, 3, 4)), batch_size=8):
    fake = torch.randn_like(real)
    alpha = torch.rand(real.size(0), 1, 1)
    mix = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = critic(mix)
    g = torch.autograd.grad(out, mix, torch.ones_like(out), create_graph=True, retain_graph=True)[0]
    penalty = ((NORM - 1) ** 2).mean()
    loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_OFF = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
net = nn.Linear(6, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in DataLoader(TensorDataset(torch.randn(32, 6), torch.rand(32, 5)), batch_size=8):
    loss = ((net(x) - y).norm(dim=DIM) / y.norm(dim=DIM)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_GAN.replace("NORM", "g.norm(2)"), 14),
    (_GAN.replace("NORM", "g.flatten(1).norm(2, dim=0)"), 14),
    (_GAN.replace("NORM", "g.view(-1).norm()"), 14),
    (_GAN.replace("NORM", "torch.sqrt((g ** 2).flatten(1).sum(dim=0) + 1e-12)"), 14),
    (_GAN.replace("NORM", "g.norm(2, dim=1)"), 14),
    (
        _GAN.replace("NORM", "torch.sqrt(g.pow(2).sum(1) + 1e-12)").replace(
            "(out, mix, torch.ones_like(out)", "(out.sum(), mix"
        ),
        14,
    ),
    (_OFF.replace("DIM", "0"), 8),
)

# a field of distances whose slope is 1 at every point, and a critic that scores each step
_FIELD = """
import torch
from torch import nn
torch.manual_seed(0)
field = nn.Sequential(nn.Linear(3, 16), nn.Softplus(), nn.Linear(16, 1))
opt = torch.optim.Adam(field.parameters())
for _ in range(4):
    points = torch.randn(8, 20, 3, requires_grad=True)
    g = torch.autograd.grad(field(points).sum(), points, create_graph=True)[0]
    loss = ((g.norm(dim=-1) - 1) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_STEPS = _GAN.replace("nn.Flatten(), nn.Linear(12, 16)", "nn.Linear(4, 16)")

SOUND = (
    _FIELD,
    _STEPS.replace("NORM", "g.norm(2, dim=2)"),
    _GAN.replace("NORM", "g.norm(2, dim=(1, 2))"),
    _GAN.replace("NORM", "g.norm(2, dim=2).norm(2, dim=1)"),
    _GAN.replace("NORM", "g.flatten(1).norm(2, dim=1, keepdim=True)"),
    _OFF.replace("DIM", "1"),
    _OFF.replace("((net(x) - y).norm(dim=DIM) / y.norm(dim=DIM)).mean()", "(net(x) - y).pow(2).mean(0).sqrt().sum()"),
    _GAN.replace("NORM", "g.flatten(1).norm(2, dim=1)"),
    _GAN.replace("NORM", "g.view(g.size(0), -1).norm(dim=-1)"),
    _GAN.replace("NORM", "torch.sqrt(g.pow(2).sum(dim=(1, 2)) + 1e-12)"),
    _GAN.replace("((NORM - 1) ** 2).mean()", "g.pow(2).flatten(1).sum(1).mean()"),
    _GAN.replace("    loss =", "    print(g.norm())\n    loss =").replace("NORM", "g.flatten(1).norm(2, dim=1)"),
)
