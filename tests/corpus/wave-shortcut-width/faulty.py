import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class ResBlock(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv1 = nn.Conv1d(in_channels, out_channels, 3, padding=1)
        self.conv2 = nn.Conv1d(out_channels, out_channels, 3, padding=1)
        self.act = nn.GELU()
        self.shortcut = nn.Identity()

    def forward(self, x):
        h = self.act(self.conv1(x))
        h = self.conv2(h)
        return self.act(h + self.shortcut(x))


class WaveNetLite(nn.Module):
    def __init__(self, widths=(12, 24), classes=3):
        super().__init__()
        self.stem = nn.Conv1d(2, widths[0], 5, padding=2)
        blocks = []
        prev = widths[0]
        for w in widths:
            blocks.append(ResBlock(prev, w))
            prev = w
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(prev, classes)

    def forward(self, x):
        return self.fc(self.blocks(self.stem(x)).mean(dim=-1))


torch.manual_seed(0)
label = torch.randint(0, 3, (72,))
wave = torch.sin(torch.arange(64) * (label + 1).view(-1, 1, 1) * 0.3) + 0.1 * torch.randn(72, 2, 64)
loader = DataLoader(TensorDataset(wave, label), batch_size=24, shuffle=False)
model = WaveNetLite()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(4):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
