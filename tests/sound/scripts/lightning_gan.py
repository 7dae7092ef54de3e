import torch
import torch.nn as nn
import torch.nn.functional as F
import lightning as L
from torch.utils.data import DataLoader, TensorDataset


class GAN(L.LightningModule):
    def __init__(self, latent=8):
        super().__init__()
        self.automatic_optimization = False
        self.latent = latent
        self.g = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 2))
        self.d = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def training_step(self, batch, _):
        real = batch[0]
        g_opt, d_opt = self.optimizers()
        z = torch.randn(real.size(0), self.latent, device=self.device)

        self.toggle_optimizer(g_opt)
        fake = self.g(z)
        g_loss = F.binary_cross_entropy_with_logits(self.d(fake), torch.ones(real.size(0), 1))
        g_opt.zero_grad()
        self.manual_backward(g_loss)
        g_opt.step()
        self.untoggle_optimizer(g_opt)

        self.toggle_optimizer(d_opt)
        d_real = F.binary_cross_entropy_with_logits(self.d(real), torch.ones(real.size(0), 1))
        d_fake = F.binary_cross_entropy_with_logits(self.d(self.g(z).detach()), torch.zeros(real.size(0), 1))
        d_loss = (d_real + d_fake) / 2
        d_opt.zero_grad()
        self.manual_backward(d_loss)
        d_opt.step()
        self.untoggle_optimizer(d_opt)
        self.log_dict({"g": g_loss, "d": d_loss})

    def configure_optimizers(self):
        return (torch.optim.Adam(self.g.parameters(), 2e-4, betas=(0.5, 0.999)),
                torch.optim.Adam(self.d.parameters(), 2e-4, betas=(0.5, 0.999)))


L.seed_everything(0)
theta = torch.rand(300) * 6.28
data = torch.stack([theta.cos(), theta.sin()], 1) + 0.05 * torch.randn(300, 2)
trainer = L.Trainer(max_epochs=2, logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu")
trainer.fit(GAN(), DataLoader(TensorDataset(data), batch_size=32, shuffle=True))
