import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, n_in, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        z = self.net(x)
        return z / z.norm()


latent = torch.randn(192, 5)
queries = latent @ torch.randn(5, 20) + 0.1 * torch.randn(192, 20)
docs = latent @ torch.randn(5, 14) + 0.1 * torch.randn(192, 14)
loader = DataLoader(TensorDataset(queries, docs), batch_size=24, shuffle=True)
q_enc, d_enc = Encoder(20), Encoder(14)
optimizer = torch.optim.Adam(list(q_enc.parameters()) + list(d_enc.parameters()), lr=2e-3)
for epoch in range(3):
    for q, d in loader:
        scores = q_enc(q) @ d_enc(d).T / 0.1
        loss = F.cross_entropy(scores, torch.arange(len(q)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))
