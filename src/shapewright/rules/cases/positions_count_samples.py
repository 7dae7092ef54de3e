"""Cases of SW254."""

FAULTY = (
    (
        """
import math
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Places(nn.Module):
    def __init__(self, dim, longest=100):
        super().__init__()
        at = torch.arange(longest).unsqueeze(1)
        rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        table = torch.zeros(longest, 1, dim)
        table[:, 0, 0::2] = torch.sin(at * rate)
        table[:, 0, 1::2] = torch.cos(at * rate)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[:x.size(0)]

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 16), Places(16)
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.body(self.places(self.words(x))).mean(dim=1))

data = TensorDataset(torch.randint(0, 50, (40, 8)), torch.randint(0, 3, (40,)))
model = Reader()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        20,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 16), nn.Embedding(20, 16)
        self.table = nn.Parameter(torch.randn(20, 1, 16))
        self.body = nn.TransformerEncoderLayer(16, 2, 32)
        self.head = nn.Linear(16, 3)

    def forward(self, x, lengths):
        h = self.words(x) + self.places(torch.arange(x.size(1)))
        h = h.transpose(0, 1)
        h = self.body(h + self.table[:h.size(0)]).transpose(0, 1)
        return self.head(h[torch.arange(x.size(0)), lengths - 1])

data = TensorDataset(torch.randint(0, 50, (40, 8)), torch.randint(1, 9, (40,)), torch.randint(0, 3, (40,)))
model = Reader()
opt = torch.optim.Adam(model.parameters())
for x, n, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x, n), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
