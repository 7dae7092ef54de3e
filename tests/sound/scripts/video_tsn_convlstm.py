"""Video: frames folded into the batch and back, segment consensus, a ConvLSTM over time, 3-D convolution, channel shuffle."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class ConvLSTMCell(nn.Module):
    def __init__(self, cin, ch):
        super().__init__()
        self.ch, self.gates = ch, nn.Conv2d(cin + ch, 4 * ch, 3, padding=1)

    def forward(self, x, state):
        h, c = state
        i, f, o, g = torch.split(self.gates(torch.cat([x, h], dim=1)), self.ch, dim=1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c


class Shuffle(nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.g = groups

    def forward(self, x):
        b, c, h, w = x.shape
        return x.view(b, self.g, c // self.g, h, w).transpose(1, 2).contiguous().view(b, c, h, w)


class VideoNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.frame = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU(), Shuffle(2), nn.Conv2d(8, 8, 3, 1, 1, groups=4), nn.ReLU())
        self.cell = ConvLSTMCell(8, 6)
        self.c3d = nn.Sequential(nn.Conv3d(1, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool3d(1))
        self.seg, self.fin = nn.Linear(8, classes), nn.Linear(10, classes)

    def forward(self, v):
        b, t, c, h, w = v.shape
        f = self.frame(v.view(b * t, c, h, w))
        scores = self.seg(f.mean(dim=(2, 3))).view(b, t, -1).mean(dim=1)
        f = f.view(b, t, *f.shape[1:])
        state = (f.new_zeros(b, 6, *f.shape[-2:]), f.new_zeros(b, 6, *f.shape[-2:]))
        for step in range(t):
            state = self.cell(f[:, step], state)
        cube = self.c3d(v.transpose(1, 2)).flatten(1)
        return scores + self.fin(torch.cat([state[0].mean(dim=(2, 3)), cube], dim=1))


y = torch.randint(0, 3, (41,))
video = 0.3 * torch.randn(41, 5, 1, 12, 12)
for i in range(41):
    for t in range(5):
        p = 5 if y[i] == 2 else (2 * t if y[i] == 0 else 8 - 2 * t)
        video[i, t, 0, 4:8, p:p + 4] += 1
loader = DataLoader(TensorDataset(video, y), batch_size=8, shuffle=True)
model = VideoNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(2):
    model.train()
    for v, t in loader:
        loss = F.cross_entropy(model(v), t)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(epoch, loss.item(), (model(video).argmax(1) == y).float().mean().item())
