import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

S = 4


class Bayes(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.logvar = nn.Linear(6, 8), nn.Linear(6, 8)
        self.dec = nn.Linear(8, 1)

    def forward(self, x):
        mu, lv = self.mu(x).repeat(S, 1), self.logvar(x).repeat(S, 1)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        out = self.dec(z).view(x.size(0), S)
        return out.mean(1)


x = torch.randn(120, 6)
y = x[:, 0] - x[:, 1]
loader = DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True)
net = Bayes()

opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(3):
    total = 0.0
    for xb, yb in loader:
        loss = F.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, "loss", round(total / len(loader), 5))
