"""Cases of SW253."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True, bidirectional=True)
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.head(h.reshape(x.size(0), 12))

data = TensorDataset(torch.randn(40, 5, 4), torch.randint(0, 2, (40,)))
model = Reader()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10):
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

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, num_layers=2, batch_first=True, bidirectional=True)
        self.heads = nn.Linear(12, 12)
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        out, h = self.rnn(x)
        top = h.view(2, 2, x.size(0), 6)[-1]
        both = top.transpose(0, 1).reshape(x.size(0), 12)
        split = self.heads(out).view(x.size(0), -1, 3, 4).transpose(1, 2)
        back = split.transpose(1, 2).reshape(x.size(0) * x.size(1), 12).view(x.size(0), x.size(1), 12)
        return self.head(both + back.mean(dim=1))

data = TensorDataset(torch.randn(40, 5, 4), torch.randint(0, 2, (40,)))
model = Reader()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
