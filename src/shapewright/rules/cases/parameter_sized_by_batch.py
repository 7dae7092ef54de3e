"""Cases of SW241."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 8

class Pooler(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(batch_size, 1, width))
        self.encoder = nn.TransformerEncoderLayer(width, 2, 32, batch_first=True)
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        return self.out(self.encoder(torch.cat([self.token, x], dim=1))[:, 0])

model = Pooler(12)
opt = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(40, 5, 12), torch.randint(0, 3, (40,)))
for epoch in range(2):
    for x, y in DataLoader(data, batch_size=batch_size, shuffle=True):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
        12,
    ),
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Series(nn.Module):
    def __init__(self, batch, hidden=6):
        super().__init__()
        self.start = nn.Parameter(torch.randn(1, batch, hidden))
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.gru(x, self.start)[0][:, -1])

model = Series(10)
opt = torch.optim.Adam(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(35, 7, 3), torch.randn(35, 1)), batch_size=10, shuffle=True,
    drop_last=True)
for x, y in loader:
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        11,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Pooler(nn.Module):  # as wide as the batch is long, by chance
    def __init__(self, width):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.encoder = nn.TransformerEncoderLayer(width, 2, 32, batch_first=True)
        self.out = nn.Linear(width, 8)

    def forward(self, x):
        return self.out(self.encoder(torch.cat([self.token.expand(len(x), -1, -1), x], dim=1))[:, 0])

model = Pooler(8)
opt = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(40, 5, 8), torch.randint(0, 8, (40,)))
for x, y in DataLoader(data, batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

torch.manual_seed(0)

class Codes(nn.Module):  # one code for each shape that there is, all in one batch
    def __init__(self, count):
        super().__init__()
        self.codes = nn.Parameter(0.1 * torch.randn(count, 4))
        self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, points):
        return self.net(torch.cat([points, self.codes], dim=1))

points, distance = torch.randn(12, 2), torch.rand(12, 1)
model = Codes(12)
opt = torch.optim.Adam(model.parameters())
for step in range(5):
    loss = (model(points) - distance).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Stateful(nn.Module):  # the state is carried from batch to batch, and is no parameter
    def __init__(self, batch, hidden=6):
        super().__init__()
        self.register_buffer("state", torch.zeros(1, batch, hidden))
        self.gru = nn.GRU(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        steps, state = self.gru(x, self.state)
        self.state = state.detach()
        return self.out(steps)

model = Stateful(5)
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(20, 7, 3), torch.randn(20, 7, 1)), batch_size=5):
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    # the last batch has as many samples as the table has columns, and the whole table is given first
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
table, kinds = torch.randn(40, 8), torch.randint(0, 2, (40,))
net = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 2))
opt = torch.optim.Adam(net.parameters(), 1e-2)
nn.functional.cross_entropy(net(table), kinds).backward()
for epoch in range(2):
    for rows, kind in DataLoader(TensorDataset(table, kinds), batch_size=32, shuffle=True):
        loss = nn.functional.cross_entropy(net(rows), kind)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
)
