"""Cases of SW376."""

from . import filled

_NOISY = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(12, 12)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
loader = DataLoader(TensorDataset(torch.rand(40, 12)), batch_size=8, shuffle=True)
kept = torch.randn(12)
for (x,) in loader:
    noise = {noise}
    loss = nn.functional.mse_loss(net(x + noise), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LATENT = """
import torch
from torch import nn
torch.manual_seed(0)
enc, dec = nn.Linear(12, 16), nn.Linear(8, 12)
opt = torch.optim.SGD([*enc.parameters(), *dec.parameters()], lr=0.01)
data = torch.randn(48, 12)
for rows in torch.randperm(48).split(16):
    mu, log_var = enc(data[rows]).chunk(2, 1)
    z = mu + torch.exp(0.5 * log_var) * torch.randn({shape})
    kl = -0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum(1).mean()
    loss = (dec(z) - data[rows]).pow(2).sum(1).mean() + kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_CENTERS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(16, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(4):
    centers = torch.randn(2, 16)
    x = torch.cat([centers[k] + 0.1 * torch.randn(10, 16) for k in range(2)])
    y = torch.arange(2).repeat_interleave(10)
    weight = net.weight + 0.01 * torch.randn(16)
    loss = nn.functional.cross_entropy(x @ weight.t() + net.bias, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_NOISY, noise="0.2 * torch.randn(x.shape[1:])"), 12),
    (filled(_NOISY, noise="torch.randn_like(x[:1]) * 0.2"), 12),
    (filled(_LATENT, shape="8"), 10),
)

SOUND = (
    filled(_NOISY, noise="0.2 * torch.randn(x.shape)"),
    filled(_NOISY, noise="0.2 * torch.randn(x.shape[0], 1)"),
    filled(_NOISY, noise="0.2 * torch.randn(1)"),
    filled(_NOISY, noise="0.2 * kept"),
    filled(_LATENT, shape="len(rows), 8"),
    _CENTERS,
)
