"""Spatial transformer: affine_grid and grid_sample, a deformable shift of a base grid, bilinear upsampling by pixel shuffle."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class STN(nn.Module):
    def __init__(self):
        super().__init__()
        self.loc = nn.Sequential(nn.Conv2d(1, 4, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 16), nn.ReLU())
        self.theta = nn.Linear(16, 6)
        self.theta.weight.data.zero_()
        self.theta.bias.data.copy_(torch.tensor([1, 0, 0, 0, 1, 0], dtype=torch.float))
        self.offset = nn.Conv2d(1, 2, 3, padding=1)
        nn.init.zeros_(self.offset.weight)
        self.up = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.PixelShuffle(2), nn.ReLU(), nn.Conv2d(4, 8, 3, stride=2, padding=1), nn.ReLU())
        self.fc = nn.Linear(8 * 4, 3)

    def warp(self, x):
        theta = self.theta(self.loc(x)).view(-1, 2, 3)
        return F.grid_sample(x, F.affine_grid(theta, x.size(), align_corners=False), align_corners=False)

    def deform(self, x):
        b, _, h, w = x.shape
        ys, xs = torch.meshgrid(torch.linspace(-1, 1, h), torch.linspace(-1, 1, w), indexing="ij")
        base = torch.stack([xs, ys], dim=-1).unsqueeze(0).expand(b, -1, -1, -1)
        shift = self.offset(x).permute(0, 2, 3, 1).tanh() * 0.1
        return F.grid_sample(x, base + shift, align_corners=True)

    def forward(self, x):
        x = self.deform(self.warp(x))
        return self.fc(F.adaptive_avg_pool2d(self.up(x), 2).flatten(1))


y = torch.randint(0, 3, (65,))
x = torch.randn(3, 1, 16, 16).cumsum(2)[y] / 3 + 0.3 * torch.randn(65, 1, 16, 16)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = STN()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    for xb, yb in loader:
        loss = F.cross_entropy(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
