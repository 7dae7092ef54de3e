"""Cases of SW251."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32)
        self.body = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(x).mean(dim=1))

data = TensorDataset(torch.randn(40, 6, 16), torch.randint(0, 3, (40,)))
model = Encoder()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        16,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 1)
        self.read = nn.MultiheadAttention(16, 2)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        h = self.body(x).transpose(0, 1)
        h, _ = self.read(h, h, h)
        return self.head(h.mean(dim=0))

data = TensorDataset(torch.randn(40, 6, 16), torch.randint(0, 3, (40,)))
model = Encoder()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

# one set of points, all of which may see each other
class Points(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(3, 8), nn.Linear(3, 8), nn.Linear(3, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        weights = torch.softmax(self.q(x) @ self.k(x).t() / 8 ** 0.5, dim=-1)
        return self.head(weights @ self.v(x))

model = Points()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    x, y = torch.randn(20, 3), torch.randint(0, 4, (20,))
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
