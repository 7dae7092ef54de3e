"""Cases of SW220."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(60, 5), torch.randn(60))
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    out = net(x)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{loss}", "(out.T - y[:, None]).square().mean()"), 12),
    (_SCRIPT.replace("{loss}", "nn.functional.l1_loss(out.mean(), y)"), 12),
)

SOUND = (
    _SCRIPT.replace("{loss}", "(out.T - y[None]).square().mean()"),
    _SCRIPT.replace("{loss}", "(out.squeeze(1)[:, None] - y[None, :]).abs().mean() - 0.5 * (out - out.T).abs().mean()"),
    _SCRIPT.replace(
        "{loss}", "2 * (out - y[None]).abs().mean() - (out - out.T).abs().mean() - (y[None] - y[:, None]).abs().mean()"
    ),
    _SCRIPT.replace("{loss}", "2 * (out - y.view(-1, 1).T).abs().mean() - (out - out.T).abs().mean()"),
    _SCRIPT.replace("{loss}", "(out.mean() - y.mean()).square() + (out.std() - y.std()).square()"),
    _SCRIPT.replace("{loss}", "(out.squeeze(1).sort().values - y.sort().values).abs().mean()"),
    _SCRIPT.replace("{loss}", "torch.cdist(out, y.view(-1, 1)).mean() - 0.5 * torch.cdist(out, out).mean()"),
    _SCRIPT.replace("{loss}", "nn.functional.mse_loss(out, torch.full_like(out, 0.5)) + 0 * y.sum()"),
)
