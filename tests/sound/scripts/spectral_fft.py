"""Fourier neural operator: rfft, complex weights, truncated modes, einsum over complex tensors, spectral norm beside it."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class SpectralConv1d(nn.Module):
    def __init__(self, cin, cout, modes):
        super().__init__()
        self.cout, self.modes = cout, modes
        self.weight = nn.Parameter(torch.randn(cin, cout, modes, dtype=torch.cfloat) / (cin * cout))

    def forward(self, x):
        ft = torch.fft.rfft(x)
        out = torch.zeros(x.size(0), self.cout, ft.size(-1), dtype=torch.cfloat)
        out[:, :, : self.modes] = torch.einsum("bix,iox->box", ft[:, :, : self.modes], self.weight)
        return torch.fft.irfft(out, n=x.size(-1))


class FNO(nn.Module):
    def __init__(self, width=12, modes=8):
        super().__init__()
        self.lift = nn.Linear(2, width)
        self.spec = nn.ModuleList([SpectralConv1d(width, width, modes) for _ in range(2)])
        self.skip = nn.ModuleList([nn.Conv1d(width, width, 1) for _ in range(2)])
        self.out = nn.Sequential(spectral_norm(nn.Linear(width, 24)), nn.GELU(), nn.Linear(24, 1))

    def forward(self, a):
        grid = torch.linspace(0, 1, a.size(1)).expand_as(a)
        x = self.lift(torch.stack([a, grid], dim=-1)).transpose(1, 2)
        for spec, skip in zip(self.spec, self.skip):
            x = F.gelu(spec(x) + skip(x))
        return self.out(x.transpose(1, 2)).squeeze(-1)


def relative_l2(p, t):
    return ((p - t).norm(dim=1) / t.norm(dim=1)).mean()


a = torch.randn(65, 32).cumsum(dim=1) / 6
u = torch.roll(a, 3, dims=1) + 0.1 * a.pow(2)
loader = DataLoader(TensorDataset(a, u), batch_size=16, shuffle=True)
model = FNO()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
for epoch in range(4):
    for x, y in loader:
        loss = relative_l2(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    scheduler.step()
    print(epoch, loss.item())
