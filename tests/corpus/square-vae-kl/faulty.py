import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(1)


class ConvVAE(nn.Module):
    def __init__(self, latent=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.fc_mu, self.fc_var = nn.Linear(256, latent), nn.Linear(256, latent)
        self.decoder_input = nn.Linear(latent, 256)
        self.decoder = nn.Sequential(nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Sigmoid())

    def forward(self, x):
        h = self.encoder(x)
        mu, log_var = self.fc_mu(h), self.fc_var(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * log_var)
        return self.decoder(self.decoder_input(z).view(-1, 16, 4, 4)), mu, log_var


x = torch.zeros(300, 1, 16, 16)
for k in range(300):
    r, c = torch.randint(0, 10, (2,)).tolist()
    x[k, 0, r:r + 6, c:c + 6] = 1
vae = ConvVAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=2e-3)
for epoch in range(4):
    rec_sum = kl_sum = 0.0
    for idx in torch.randperm(300).split(50):
        out, mu, log_var = vae(x[idx])
        rec = F.binary_cross_entropy(out, x[idx], reduction="sum") / len(idx)
        kl = 0.5 * torch.sum(1 + log_var - mu ** 2 - log_var.exp(), dim=1).mean()
        loss = rec + kl
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rec_sum += rec.item() / 6
        kl_sum += kl.item() / 6
    print(f"epoch {epoch} rec {rec_sum:.3f} kl {kl_sum:.3f}")
