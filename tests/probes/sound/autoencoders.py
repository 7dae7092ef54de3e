"""A VAE with a prior draw, a masked autoencoder, a VQ layer, a UNet with noise levels: random parts and targets that equal the input."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp, self.out, self.blank = nn.Linear(4, 16), nn.Linear(16, 4), nn.Parameter(torch.zeros(1, 1, 16))
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)

    def forward(self, x):
        h = self.inp(x)
        order = torch.rand(h.shape[:2]).argsort(dim=1)
        keep = order[:, :5]
        seen = self.body(h.gather(1, keep.unsqueeze(-1).expand(-1, -1, 16)))
        full = self.blank.expand(len(x), x.size(1), -1).clone()
        full = full.scatter(1, keep.unsqueeze(-1).expand(-1, -1, 16), seen)
        return self.out(full)


class VQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec, self.codes = nn.Linear(4, 3), nn.Linear(3, 4), nn.Embedding(10, 3)

    def forward(self, x):
        z = self.enc(x)
        nearest = torch.cdist(z.reshape(-1, 3), self.codes.weight).argmin(1).view(z.shape[:-1])
        q = self.codes(nearest)
        loss = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
        return self.dec(z + (q - z).detach()), loss


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4 * 9 + 1, 32), nn.SiLU(), nn.Linear(32, 36))

    def forward(self, x, t):
        return self.net(torch.cat([x.flatten(1), t[:, None]], dim=1)).view_as(x)


masked, vq, denoiser = Masked(), VQ(), Denoiser()
opt = torch.optim.Adam([*masked.parameters(), *vq.parameters(), *denoiser.parameters()])
for epoch in range(2):
    for (x,) in DataLoader(TensorDataset(torch.randn(36, 9, 4)), batch_size=12, shuffle=True):
        rebuilt, extra = vq(x)
        t, noise = torch.rand(len(x)), torch.randn_like(x)
        guess = denoiser((1 - t).view(-1, 1, 1) * x + t.view(-1, 1, 1) * noise, t)
        loss = F.mse_loss(masked(x), x) + F.mse_loss(rebuilt, x) + extra + F.mse_loss(guess, noise)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
