"""A GAN whose judge looks at the spread of the batch, on purpose; gradient penalty; two optimisers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(6, 16), nn.Linear(17, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        spread = (h.var(dim=0) + 1e-8).sqrt().mean().expand(len(x), 1)
        return self.head(torch.cat([h, spread], dim=1))


maker = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 6))
judge = Judge()
opt_m, opt_j = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
for epoch in range(2):
    for (real,) in DataLoader(TensorDataset(torch.randn(40, 6)), batch_size=10):
        fake = maker(torch.randn(len(real), 4))
        mix = torch.rand(len(real), 1)
        between = (mix * real + (1 - mix) * fake.detach()).requires_grad_()
        slope, = torch.autograd.grad(judge(between).sum(), between, create_graph=True)
        loss_j = judge(fake.detach()).mean() - judge(real).mean() + 10 * (slope.norm(dim=1) - 1).pow(2).mean()
        opt_j.zero_grad()
        loss_j.backward()
        opt_j.step()
        loss_m = -judge(fake).mean()
        opt_m.zero_grad()
        loss_m.backward()
        opt_m.step()
print(loss_m.item())
