"""Cases of SW352."""

FAULTY = (
    (
        """
import torch
from torch import nn

class Mixer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        weights = (self.query(x) @ self.key(x).transpose(-1, -2) / x.shape[-1] ** 0.5).softmax(-1)
        mixed = weights @ self.value(x)
        return nn.LayerNorm(x.shape[-1])(x + nn.Linear(x.shape[-1], x.shape[-1])(mixed))

model = nn.Sequential(Mixer(8), nn.Flatten(), nn.Linear(40, 3))
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    x, y = torch.randn(6, 5, 8), torch.randint(0, 3, (6,))
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        13,
    ),
    (
        """
import torch
from torch import nn

def head(features, classes):
    return nn.Sequential(nn.Linear(features.shape[1], 16), nn.ReLU(), nn.Linear(16, classes))(features)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)

    def forward(self, x):
        return head(torch.relu(self.conv(x)).flatten(1), 2)

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = nn.functional.cross_entropy(net(torch.randn(5, 1, 6, 6)), torch.randint(0, 2, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        6,
    ),
)

SOUND = (
    """
import torch
from torch import nn

class Late(nn.Module):  # made once, when the width is known
    def __init__(self):
        super().__init__()
        self.conv, self.heads = nn.Conv2d(1, 4, 3), None

    def forward(self, x):
        x = torch.relu(self.conv(x)).flatten(1)
        if self.heads is None:
            self.heads = nn.ModuleList(nn.Linear(x.shape[1], n) for n in (2, 3))
        return [head(nn.LayerNorm(x.shape[1])(x)) for head in self.heads]

net = Late()
net(torch.randn(2, 1, 6, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    two, three = net(torch.randn(5, 1, 6, 6))
    loss = nn.functional.cross_entropy(two, torch.randint(0, 2, (5,))) + nn.functional.cross_entropy(three,
        torch.randint(0, 3, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

class Blurred(nn.Module):  # a fixed kernel in a layer's clothes
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(1, 4, 3)

    def forward(self, x):
        blur = nn.Conv2d(1, 1, 3, padding=1, bias=False)
        blur.weight.data = torch.full((1, 1, 3, 3), 1 / 9)
        return self.body(blur(x)).mean((2, 3))

net = Blurred()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = nn.functional.cross_entropy(net(torch.randn(5, 1, 6, 6)), torch.randint(0, 4, (5,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
