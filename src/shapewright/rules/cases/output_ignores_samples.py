"""Cases of SW242."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Reader(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.mix = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        x = torch.cat([self.token.expand(len(x), -1, -1), x], dim=1)
        x = x + self.mix(x)
        return self.out(x[:, 0])

model = Reader(8)
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(40, 5, 8), torch.randint(0, 3, (40,))), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        18,
    ),
)

_CONSTANT = """
import torch
torch.manual_seed(0)
t = torch.linspace(0, 10, 64)
y = 3.0 + torch.randn(64)

class Mean(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = torch.nn.Parameter(torch.zeros(1))

    def forward(self, t):
        return self.mu.expand(t.shape[0])

model = Mean()
opt = torch.optim.Adam(model.parameters(), 0.05)
for it in range(5):
    loss = torch.mean((model(t) - y) ** 2)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Residual(nn.Module):  # begins as a constant, and learns
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.head = nn.Linear(16, 2)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))

model = Residual()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 2, (24,))), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

torch.manual_seed(0)
# the correction begins at zero; in this warm-up the base learns alone
base, more = nn.Linear(4, 1), nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
for p in more[-1].parameters():
    nn.init.zeros_(p)
more.requires_grad_(False)
opt = torch.optim.SGD(base.parameters(), lr=0.05)
x = torch.randn(64, 4)
y = x.sum(1, keepdim=True)
for rows in torch.randperm(64).split(16):
    loss = (base(x[rows]) + more(x[rows]) - y[rows]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
# features in the hundreds: every sigmoid is at its end, which is another matter
model = nn.Sequential(nn.Linear(3, 8), nn.Sigmoid(), nn.Linear(8, 1), nn.Sigmoid())
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = 5e2 + 10 * torch.rand(24, 3)
for a, b in DataLoader(TensorDataset(x, (x.sum(1, keepdim=True) > 1.515e3).float()), batch_size=8):
    loss = nn.functional.binary_cross_entropy(model(a), b)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _CONSTANT,
)
