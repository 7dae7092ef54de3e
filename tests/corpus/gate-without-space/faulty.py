import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SEBlock(nn.Module):
    def __init__(self, channels, reduction=4):
        super().__init__()
        self.fc1 = nn.Linear(channels, channels // reduction)
        self.fc2 = nn.Linear(channels // reduction, channels)

    def forward(self, x):
        squeezed = x.mean(dim=(2, 3))
        gate = torch.sigmoid(self.fc2(F.relu(self.fc1(squeezed))))
        return x * gate


class SENet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.se1 = SEBlock(16)
        self.conv2 = nn.Conv2d(16, 24, 3, stride=2, padding=1)
        self.se2 = SEBlock(24)
        self.fc = nn.Linear(24, classes)

    def forward(self, x):
        x = self.se1(F.relu(self.conv1(x)))
        x = self.se2(F.relu(self.conv2(x)))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


torch.manual_seed(0)
y = torch.randint(0, 3, (48,))
x = torch.rand(48, 3, 12, 12)
x[torch.arange(48), y] += 0.5
loader = DataLoader(TensorDataset(x, y), batch_size=8)
net = SENet()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(2):
    for xb, yb in loader:
        loss = F.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, "loss", f"{loss.item():.4f}")
