"""Custom autograd.Function (straight-through), VQ-VAE codebook with detach, commitment loss, codebook by EMA-free loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.round()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= 4).to(g.dtype)


class VectorQuantizer(nn.Module):
    def __init__(self, n, dim, beta=0.25):
        super().__init__()
        self.codes, self.beta = nn.Embedding(n, dim), beta
        nn.init.uniform_(self.codes.weight, -1 / n, 1 / n)

    def forward(self, z):
        z = z.permute(0, 2, 3, 1).contiguous()
        flat = z.view(-1, z.size(-1))
        d = flat.pow(2).sum(1, keepdim=True) + self.codes.weight.pow(2).sum(1) - 2 * flat @ self.codes.weight.t()
        idx = d.argmin(dim=1)
        q = self.codes(idx).view(z.shape)
        loss = F.mse_loss(q, z.detach()) + self.beta * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()
        usage = torch.bincount(idx, minlength=self.codes.num_embeddings).float() / idx.numel()
        perplexity = torch.exp(-(usage * (usage + 1e-10).log()).sum())
        return q.permute(0, 3, 1, 2), loss, perplexity


class VQVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 16, 4, 2, 1), nn.ReLU(), nn.Conv2d(16, 8, 4, 2, 1))
        self.vq = VectorQuantizer(16, 8)
        self.dec = nn.Sequential(nn.ConvTranspose2d(8, 16, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(16, 1, 4, 2, 1))

    def forward(self, x):
        q, loss, perplexity = self.vq(self.enc(x))
        return self.dec(Round.apply(q * 8) / 8), loss, perplexity


x = torch.randn(65, 1, 16, 16).cumsum(dim=2) / 4
loader = DataLoader(TensorDataset(x), batch_size=16, shuffle=True)
model = VQVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    for (xb,) in loader:
        recon, vq, perplexity = model(xb)
        loss = F.mse_loss(recon, xb) / x.var() + vq
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item(), perplexity.item())
