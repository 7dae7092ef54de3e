"""Cases of SW250."""

FAULTY = (
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(6, 16)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        states, _ = self.rnn(x)
        return self.head(states.mean(dim=1))

data = TensorDataset(torch.randn(48, 9, 6), torch.randint(0, 3, (48,)))
model = Tagger()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        15,
    ),
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(20, 16, batch_first=True)
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        out, _ = self.rnn(x.transpose(0, 1))
        return self.head(out[-1])

data = TensorDataset(torch.randn(40, 7, 20), torch.randint(0, 4, (40,)))
model = Digits()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=10):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        15,
    ),
)

SOUND = (
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(6, 16, batch_first=True, bidirectional=True)
        self.old = nn.LSTM(32, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        states, _ = self.rnn(x)
        out, (h, c) = self.old(states.transpose(0, 1))
        return self.head(h[-1])

data = TensorDataset(torch.randn(48, 9, 6), torch.randint(0, 3, (48,)))
model = Tagger()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

# one sentence at a time: the first axis is time and there is no batch to mix
class Sentence(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 8)
        self.rnn = nn.LSTM(8, 12)
        self.head = nn.Linear(12, 5)

    def forward(self, words):
        out, _ = self.rnn(self.words(words).view(len(words), 1, -1))
        return self.head(out.view(len(words), -1))

model = Sentence()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    words, tags = torch.randint(0, 30, (11,)), torch.randint(0, 5, (11,))
    loss = nn.functional.cross_entropy(model(words), tags)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn

# time first all through, and the batch is the second axis
class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 10)
        self.head = nn.Linear(10, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out)

model = Forecaster()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    x, y = torch.randn(16, 8, 3), torch.randn(16, 8, 1)
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
