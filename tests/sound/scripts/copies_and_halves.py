"""Two views joined and parted again, copies made and taken apart in their own order, crops voted on."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
S = 4


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8))
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        b, crops, f = x.shape
        z = self.enc(x.reshape(b * crops, f)).view(b, crops, -1).mean(1)
        many = z.repeat(S, 1) + 0.1 * torch.randn(S * b, 8)
        drawn = self.out(many).view(S, b).mean(0)
        inner = self.out(z.repeat_interleave(S, dim=0) + 0.1 * torch.randn(b * S, 8)).view(b, S).mean(1)
        return z, drawn + inner


data = TensorDataset(torch.randn(96, 3, 6), torch.randn(96))
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in DataLoader(data, batch_size=16, shuffle=True):
        z, _ = net(torch.cat([x, x + 0.1 * torch.randn_like(x)]))
        one, two = F.normalize(z, dim=1).chunk(2)
        also_one, also_two = F.normalize(z, dim=1).view(2, len(x), -1).unbind(0)
        pairs = torch.stack([one, two], dim=1).view(2 * len(x), -1)
        near = (pairs[0::2] * pairs[1::2]).sum(1)
        loss = F.cross_entropy(one @ two.t() / 0.2, torch.arange(len(x))) + F.cross_entropy(also_two @ also_one.t() / 0.2, torch.arange(len(x)))
        loss = loss + F.mse_loss(net(x)[1], y) - 0.1 * near.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4))
