import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class MiniModule(nn.Module):
    def training_step(self, batch, idx):
        raise NotImplementedError

    def log(self, name, value):
        self._logs.setdefault(name, []).append(float(value))


class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, module, train, val):
        opt = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            module._logs = {}
            module.train()
            for i, batch in enumerate(train):
                loss = module.training_step(batch, i)
                opt.zero_grad()
                loss.backward()
                opt.step()
            module.eval()
            with torch.no_grad():
                for i, batch in enumerate(val):
                    module.validation_step(batch, i)
            print(epoch, {k: round(sum(v) / len(v), 4) for k, v in module._logs.items()})


class LitAutoencoder(MiniModule):
    def __init__(self, hidden=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 2 * hidden))
        self.decoder = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 64), nn.Unflatten(1, (1, 8, 8)))

    def forward(self, x):
        mu, logvar = self.encoder(x).chunk(2, dim=1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.decoder(z), mu, logvar

    def step(self, batch):
        x, = batch
        recon, mu, logvar = self(x)
        rec = F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(dim=(1, 2, 3))
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1)
        return (rec + kl).mean()

    def training_step(self, batch, idx):
        loss = self.step(batch)
        self.log("train", loss)
        return loss

    def validation_step(self, batch, idx):
        self.log("val", self.step(batch))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)


torch.manual_seed(0)
base = (torch.rand(6, 1, 8, 8) > 0.5).float()
x = base[torch.randint(0, 6, (210,))]
x = torch.where(torch.rand_like(x) < 0.05, 1 - x, x)
MiniTrainer(3).fit(LitAutoencoder(), DataLoader(TensorDataset(x[:170]), batch_size=32, shuffle=True), DataLoader(TensorDataset(x[170:]), batch_size=32))
