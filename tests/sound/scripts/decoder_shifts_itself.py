"""A decoder of single cells that is handed its targets and reads the one before each itself; answers joined along time."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
V = 22


class Speller(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.emb, self.cell, self.out = nn.GRU(7, 16, batch_first=True), nn.Embedding(V, 10), nn.LSTMCell(10, 16), nn.Linear(16, V)

    def forward(self, x, y):
        h = self.enc(x)[1][0]
        c, logits = torch.zeros_like(h), []
        for t in range(y.size(1)):
            before = y[:, t - 1] if t else torch.zeros_like(y[:, 0])
            h, c = self.cell(self.emb(before), (h, c))
            logits.append(self.out(h))
        steps = torch.cat(logits).view(len(logits), -1, V)
        return steps.transpose(0, 1)


data = TensorDataset(torch.randn(72, 9, 7), torch.randint(0, V, (72, 6)))
net = Speller()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(2):
    for x, y in DataLoader(data, batch_size=12, shuffle=True):
        loss = F.cross_entropy(net(x, y).reshape(-1, V), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4))
