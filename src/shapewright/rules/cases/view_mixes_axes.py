"""Cases of SW204."""

_LOOP = """
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_HEAD = """
import torch
from torch import nn
torch.manual_seed(0)
"""

_BLOCKS = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
    def forward(self, x):
        b, _, h, w = x.shape
        x = self.conv(x).view(b, 1, 2, 2, h, w)
        return x{moved}.reshape(b, 1, 2 * h, 2 * w)
net = Net()
for step in range(3):
    x, y = torch.rand(5, 1, 6, 6), torch.rand(5, 1, 12, 12)
    nn.functional.mse_loss(net(x), y).backward()
"""
)

_FRAMES = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.frame, self.conv, self.out = nn.Linear(4, 6), nn.Conv1d(6, 5, 3), nn.Linear(5, 3)
    def forward(self, x):
        b, t, _ = x.shape
        f = self.frame(x.flatten(0, 1))
        f = f{view}
        return self.out(self.conv(f).mean(-1))
net = Net()
x, y = torch.randn(8, 9, 4), torch.randint(0, 3, (8,))
"""
    + _LOOP
)

_PAIRS = (
    _HEAD
    + """
net = nn.Linear(5, 4)
a = torch.randn(6, 5)
b = a + 0.1 * torch.randn(6, 5)
z = net(torch.cat([a, b]))
one, two = z{view}
nn.functional.mse_loss(one, two).backward()
"""
)

_FILTERS = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.out = nn.Linear(5, 4), nn.Linear(5, 4), nn.Linear(8, 3)
    def forward(self, x):
        parts = [self.one(x), self.two(x)]
        return self.out({joined})
net = Net()
x, y = torch.randn(6, 5), torch.randint(0, 3, (6,))
"""
    + _LOOP
)

_CLASSES = (
    _HEAD
    + """
net = nn.Conv2d(1, 3, 3, padding=1)
x, y = torch.rand(6, 1, 8, 8), torch.randint(0, 3, (6, 8, 8))
told = nn.functional.one_hot(y, 3){view}.float()
(net(x).softmax(1).reshape(6, 3, -1) - told).pow(2).mean().backward()
"""
)

_ARRAY = """
import numpy as np
import torch
from torch import nn
scenes = torch.from_numpy(np.random.default_rng(0).random((24, 10, 10, 3), dtype="float32"))
pictures = scenes{view}
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(256, 2))
opt = torch.optim.SGD(net.parameters(), 0.1)
for rows in torch.randperm(24).split(8):
    loss = nn.functional.cross_entropy(net(pictures[rows]), rows % 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_CLASSES.replace("{view}", ".view(6, 3, -1)"), 8),
    (_FRAMES.replace("{view}", ".view(b, 6, t)"), 13),
    (_PAIRS.replace("{view}", ".view(6, 2, 4).unbind(1)"), 10),
    (_FILTERS.replace("{joined}", "torch.cat(parts, 0).reshape(-1, 8)"), 12),
    (_BLOCKS.replace("{moved}", ""), 13),
    (
        _HEAD
        + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 6, batch_first=True, bidirectional=True)
        self.out = nn.Linear(12, 3)
    def forward(self, x):
        h = self.rnn(x)[1]
        return self.out(h.view(-1, 12))
net = Net()
x, y = torch.randn(10, 7, 5), torch.randint(0, 3, (10,))
"""
        + _LOOP,
        13,
    ),
    (
        _HEAD
        + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.out = nn.Linear(4, 3)
    def forward(self, x):
        x = x.reshape(-1, 3, 8, 8)
        return self.out(self.conv(x).mean(dim=(2, 3)))
net = Net()
x, y = torch.rand(6, 8, 8, 3), torch.randint(0, 3, (6,))
"""
        + _LOOP,
        12,
    ),
    (
        _HEAD
        + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(12, 36)
        self.out = nn.Linear(12, 3)
    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (t.reshape(B, 4, T, 3) for t in self.qkv(x).chunk(3, dim=-1))
        z = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        return self.out(z.transpose(1, 2).reshape(B, T, D).mean(1))
net = Net()
x, y = torch.randn(6, 10, 12), torch.randint(0, 3, (6,))
"""
        + _LOOP,
        13,
    ),
    (
        _HEAD
        + """
net = nn.Conv2d(3, 4, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x, y = torch.rand(6, 3, 8, 8), torch.randint(0, 4, (6, 8, 8))
    loss = nn.functional.cross_entropy(net(x).view(-1, 4), y.view(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        10,
    ),
    (_ARRAY.replace("{view}", ".view(len(scenes), 3, 10, 10)"), 6),
    (
        _HEAD
        + """
class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.out = nn.Linear(4, 12), nn.Linear(4, 3)
    def forward(self, x):
        b, t, _ = x.shape
        q = self.q(x).view(b, 3, t, 4)
        return self.out((q @ q.transpose(-2, -1)).softmax(-1).matmul(q).mean((1, 2)))
net = Heads()
x, y = torch.randn(6, 9, 4), torch.randint(0, 3, (6,))
"""
        + _LOOP,
        12,
    ),
)

SOUND = (
    _CLASSES.replace("{view}", ".permute(0, 3, 1, 2).reshape(6, 3, -1)"),
    _CLASSES.replace("{view}", ".view(6, -1, 3).transpose(1, 2)"),
    _FRAMES.replace("{view}", ".view(b, t, 6).transpose(1, 2)"),
    _PAIRS.replace("{view}", ".view(2, 6, 4).unbind(0)"),
    _PAIRS.replace("{view}", ".chunk(2)"),
    _FILTERS.replace("{joined}", "torch.cat(parts, 1).reshape(-1, 8)"),
    _FILTERS.replace("{joined}", "torch.cat(parts, 0).reshape(2, 6, 4).transpose(0, 1).reshape(-1, 8)"),
    _FILTERS.replace("{joined}", "torch.cat(torch.cat(parts, 0).chunk(2), 1).reshape(-1, 8)"),
    _BLOCKS.replace("{moved}", ".permute(0, 1, 4, 2, 5, 3)"),
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.out = nn.Conv2d(1, 4, 3), nn.Linear(5 * 4 * 6 * 6, 3)
    def forward(self, clip):
        b, t, c, h, w = clip.shape
        feats = self.conv(clip.view(b * t, c, h, w)).view(b, t, 4, 6, 6)
        return self.out(feats.view(b, -1))
net = Net()
x, y = torch.rand(6, 5, 1, 8, 8), torch.randint(0, 3, (6,))
"""
    + _LOOP,
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(5, 6, batch_first=True, bidirectional=True)
        self.qkv = nn.Linear(12, 36)
        self.out = nn.Linear(24, 3)
    def forward(self, x):
        out, h = self.rnn(x)
        h = h.transpose(0, 1).reshape(-1, 12)
        B, T, D = out.shape
        q, k, v = self.qkv(out).view(B, T, 3, 4, 3).permute(2, 0, 3, 1, 4)
        z = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        z = z.transpose(1, 2).reshape(B, T, D).mean(1)
        return self.out(torch.cat([h, z], dim=1))
net = Net()
x, y = torch.randn(10, 8, 5), torch.randint(0, 3, (10,))
"""
    + _LOOP,
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.out = nn.Linear(8 * 4 * 4, 3)
    def forward(self, x):
        x = self.conv(x.permute(0, 3, 1, 2))
        b, c, h, w = x.shape
        x = x.view(b, 2, c // 2, h, w).transpose(1, 2).reshape(b, c, h, w)
        x = x.view(b, c, h // 2, 2, w // 2, 2).mean(dim=(3, 5))
        return self.out(x.flatten(1))
net = Net()
x, y = torch.rand(6, 8, 8, 3), torch.randint(0, 3, (6,))
"""
    + _LOOP,
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 3)
    def forward(self, x):
        b, t, d = x.shape
        return self.out(x.view(b, t // 2, 2 * d).mean(1))
net = Net()
x, y = torch.randn(5, 6, 4), torch.randint(0, 3, (5,))
"""
    + _LOOP,
    _HEAD
    + """
class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, 8)
        self.out = nn.Linear(8, 3)
    def forward(self, x):
        x = self.conv(x)
        b, c, _, _ = x.shape
        y = torch.sigmoid(self.fc(nn.functional.adaptive_avg_pool2d(x, 1).view(b, c))).view(b, c, 1, 1)
        return self.out((x * y).mean(dim=(2, 3)))
net = Gate()
x, y = torch.rand(6, 3, 8, 8), torch.randint(0, 3, (6,))
"""
    + _LOOP,
    _HEAD
    + """
class Gram(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.out = nn.Linear(16, 3)
    def forward(self, x):
        x = self.conv(x)
        b, c, h, w = x.shape
        f = x.view(b, c, h * w)  # as many places as channels, by chance
        return self.out((f @ f.transpose(1, 2)).div(h * w).mean(1))
net = Gram()
x, y = torch.rand(6, 3, 4, 4), torch.randint(0, 3, (6,))
"""
    + _LOOP,
    _ARRAY.replace("{view}", ".permute(0, 3, 1, 2)"),
    _ARRAY.replace("{view}", ".view(24, 300).view(24, 10, 10, 3).movedim(-1, 1)"),
    _HEAD
    + """
class Shuffled(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.out = nn.Linear(4, 8), nn.Linear(8, 3)
    def forward(self, x):
        return self.out(self.first(x).view(len(x), 2, 4).transpose(1, 2).flatten(1))
net = Shuffled()
x, y = torch.randn(2, 4), torch.randint(0, 3, (2,))  # as many samples as groups, by chance
"""
    + _LOOP,
    _HEAD
    + """
table = torch.ones(5, 4)
assert table.view(-1, 5).shape == torch.Size([4, 5])  # a lesson beside the training
net = nn.Linear(7, 3)
x, y = torch.randn(6, 7), torch.randint(0, 3, (6,))
"""
    + _LOOP,
)
