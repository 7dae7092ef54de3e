"""Cases of SW202."""

_LOOP = """
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_NET = (
    """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = nn.ModuleList(nn.Linear(5, 6) for _ in range(4))
        self.out = nn.Linear(6, 3)
    def forward(self, x):
        z = torch.stack([b(x) for b in self.branches], 0)
        w = z.softmax(dim=DIM)
        return self.out((w * z).sum(0))
net = Net()
x, y = torch.randn(9, 5), torch.randint(0, 3, (9,))
"""
    + _LOOP
)

_PAIRS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    one, other = torch.randn(8, 5), torch.randn(8, 5)
    z = torch.cat([net(one), net(other)])
    z = nn.functional.normalize(z, dim=DIM)
    table = (z @ z.t() / 0.2).fill_diagonal_(-torch.inf)
    loss = nn.functional.cross_entropy(table, torch.arange(16).roll(8))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TRIED_ALONE = """
import torch
from torch import nn

def scorer(width):
    return nn.Sequential(nn.Linear(2 * width, 10), nn.Tanh(), nn.Linear(10, 1, bias=False))

def attend(score, memory, state):
    state = state.unsqueeze(0).expand_as(memory)
    weight = score(torch.cat([memory, state], 2)).softmax(0)
    return (weight * memory).sum(0)

print(attend(scorer(8), torch.zeros(10, 4, 8), torch.zeros(4, 8)).shape)

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = nn.Embedding(12, 6), nn.GRU(6, 8), nn.Linear(8, 3)
        self.score = scorer(8)

    def forward(self, x):
        memory, state = self.rnn(self.embed(x).transpose(0, 1))
        return self.out(attend(self.score, memory, state[-1]))

torch.manual_seed(0)
net = Reader()
opt = torch.optim.Adam(net.parameters())
data = torch.utils.data.TensorDataset(torch.randint(0, 12, (12, 7)), torch.randint(0, 3, (12,)))
for x, y in torch.utils.data.DataLoader(data, 4, shuffle=True):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_STEPS_FIRST = """
import torch
from torch import nn

class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(20, 8), nn.Linear(16, 20)
        self.reads, self.writes = nn.GRU(8, 8), nn.GRU(8, 8)

    def forward(self, source, target):
        memory, state = self.reads(self.table(source))
        made = []
        for step in range(len(target) - 1):
            answer, state = self.writes(self.table(target[step : step + 1]), state)
            share = (memory.permute(1, 0, 2) @ state.permute(1, 2, 0)).softmax(1)
            seen = (memory.permute(1, 2, 0) @ share).permute(2, 0, 1)
            made.append(self.out(torch.cat([answer, seen], 2)))
        return torch.cat(made)

torch.manual_seed(0)
net = Translator()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    source = torch.randint(1, 20, (7, 4))
    target = torch.cat([torch.zeros(1, 4, dtype=torch.long), source.flip(0)])
    loss = nn.functional.cross_entropy(net(source, target).flatten(0, 1), target[1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_NET.replace("DIM", "1"), 12),
    (_NET.replace("z.softmax(dim=DIM)", "nn.functional.normalize(z, dim=-2)"), 12),
    (_PAIRS.replace("DIM", "0"), 10),
)

SOUND = (
    _TRIED_ALONE,
    _STEPS_FIRST,
    _NET.replace("DIM", "0"),
    _PAIRS.replace("DIM", "1"),
    """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 8)
x, y = torch.randn(9, 5), torch.randn(9, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    logits = nn.functional.normalize(net(x), dim=-1) @ nn.functional.normalize(y, dim=-1).t()
    loss = -(logits.log_softmax(dim=0).diag().mean() + logits.log_softmax(dim=1).diag().mean())
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
torch.manual_seed(0)
score = nn.Sequential(nn.Linear(12, 5), nn.Tanh(), nn.Linear(5, 1))
steps, query = torch.zeros(7, 3, 6), torch.zeros(3, 6)
weights = torch.softmax(score(torch.cat((steps, query.expand_as(steps)), dim=2)), dim=0)
print((weights * steps).sum(dim=0).shape)
""",
)
