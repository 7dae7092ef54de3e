import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class DenoisingAE(nn.Module):
    def __init__(self, d_in=40, d_hid=10):
        super().__init__()
        self.encoder = nn.Linear(d_in, d_hid)
        self.decoder = nn.Linear(d_hid, d_in)

    def forward(self, x):
        return self.decoder(torch.tanh(self.encoder(x)))


class Trainer:
    def __init__(self, model, loader, lr=1e-2):
        self.model, self.loader = model, loader
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def train_epoch(self):
        losses = []
        for (batch,) in self.loader:
            recon = self.model(batch)
            loss = self.criterion(recon, batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)


torch.manual_seed(0)
basis = torch.randn(5, 40)
signals = torch.randn(100, 5) @ basis
loader = DataLoader(TensorDataset(signals), batch_size=20)
trainer = Trainer(DenoisingAE(), loader)
for epoch in range(4):
    print("epoch", epoch, "mse", round(trainer.train_epoch(), 4))
