import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class PhaseNet(nn.Module):
    def __init__(self, feat=24, phases=4):
        super().__init__()
        self.feat = feat
        self.frame = nn.Sequential(nn.Conv2d(3, 12, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, feat))
        self.temporal = nn.Conv1d(feat, feat, 3, padding=1)
        self.head = nn.Linear(feat, phases)

    def forward(self, clips):
        b, t = clips.shape[:2]
        f = self.frame(clips.flatten(0, 1))
        f = f.view(b, t, self.feat).transpose(1, 2)
        f = torch.relu(self.temporal(f))
        return self.head(f.mean(-1))


clips = torch.rand(48, 8, 3, 16, 16)
phase = torch.randint(0, 4, (48,))
for k in range(4):
    clips[phase == k, 2 * k:2 * k + 2, k % 3] += 0.7
loader = DataLoader(TensorDataset(clips, phase), batch_size=8, shuffle=True)
net = PhaseNet()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(3):
    total = 0.0
    for c, p in loader:
        loss = nn.functional.cross_entropy(net(c), p)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, round(total / len(loader), 4))
