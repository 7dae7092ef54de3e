"""Normalisation and similarity by their default axis where it is right: channels of convolutions, vectors of samples."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(4, 12, 3, padding=1)
        self.token = nn.Linear(12, 12)

    def forward(self, x):
        local = F.normalize(self.conv(x.transpose(1, 2)))
        steps = F.normalize(self.token(local.transpose(1, 2)), dim=-1)
        slots = F.normalize(self.token(local.transpose(1, 2)), dim=1, p=1)
        return F.normalize(local.mean(-1)), steps.transpose(1, 2) * slots.transpose(1, 2), local


data = TensorDataset(torch.randn(60, 9, 4), torch.randn(60, 9, 4))
net = Matcher()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
same = nn.CosineSimilarity()
for epoch in range(2):
    for a, b in DataLoader(data, batch_size=12, shuffle=True):
        one, steps, left = net(a)
        two, other, right = net(b)
        loss = (1 - F.cosine_similarity(one, two)).mean() + (1 - same(left, right)).mean() - F.cosine_similarity(steps, other).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4))
