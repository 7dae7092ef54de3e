"""Cases of SW281."""

from . import filled

_HEAD = """
import torch
from torch import nn

torch.manual_seed(0)
text = torch.randint(0, 30, (4000,))
T, B = 12, 16

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16)
        self.rnn = nn.GRU(16, 24, batch_first=True)
        self.out = nn.Linear(24, 30)

    def forward(self, x, state=None):
        h, state = self.rnn(self.embed(x), state)
        return self.out(h), state

model = Net()
opt = torch.optim.Adam(model.parameters())
state = None
rows = text.view(B, -1)
for i in range(20):
"""
_RANDOM = """    starts = torch.randint(0, len(text) - T - 1, (B,)).tolist()
    x = torch.stack([text[s : s + T] for s in starts])
    y = torch.stack([text[s + 1 : s + T + 1] for s in starts])
"""
_FOLLOWING = """    x, y = rows[:, i * T : i * T + T], rows[:, i * T + 1 : i * T + T + 1]
"""
_STEP = """    logits, state = model(x, {state})
    state = state.detach()
    loss = nn.functional.cross_entropy(logits.reshape(-1, 30), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_KEPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
class Meter(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out, self.state = nn.GRU(3, 8, batch_first=True), nn.Linear(8, 1), None
    def forward(self, x):
        told, left = self.cell(x, self.state)
        self.state = left.detach()
        return self.out(told[:, -1])
meter = Meter()
opt = torch.optim.Adam(meter.parameters(), lr=0.01)
table = torch.randn(64, 6, 3)
batches = DataLoader(TensorDataset(table, table.sum((1, 2))[:, None]), batch_size=16, shuffle={shuffle})
for epoch in range(2):
    meter.state = None
    for x, y in batches:
        {begin}
        loss = (meter(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
# the rows come in no order, but a step goes on in the rows of the step before
_PARTS = """
import torch
from torch import nn
torch.manual_seed(0)
waves = torch.sin(torch.arange(60.0) / 5 + 6 * torch.rand(64, 1))
class Ahead(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRU(1, 8, batch_first=True), nn.Linear(8, 1)
    def forward(self, x, left):
        told, left = self.cell(x[..., None], left)
        return x + self.out(told)[..., 0], left
ahead = Ahead()
opt = torch.optim.Adam(ahead.parameters(), lr=0.01)
{before}
for rows in {drawn}:
    {each}
    for x, y in zip(rows[:, :-1].split(20, 1), rows[:, 1:].split(20, 1)):
        guess, left = ahead(x, left)
        left = left.detach()
        loss = (guess - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_PICKED = "[waves[some] for some in torch.randperm(64).split(16)]"
_LOADED = "torch.utils.data.DataLoader(waves, batch_size=16, shuffle=True)"
# each step is tagged with whether it repeats the one before: no tag is read as the next token
_TAGS = """    x = rows[:, i * T + 1 : i * T + T + 1]
    y = (x == rows[:, i * T : i * T + T]).long()
"""
# one step for two windows, and for what is left at the end: a cut run comes to the last window at once
_GATHERED = """
import torch
from torch import nn

symbols = torch.randint(0, 6, (16 * 400,)).view(16, 400).t().contiguous()


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.cell, self.says = nn.Embedding(6, 12), nn.LSTM(12, 24), nn.Linear(24, 6)

    def forward(self, symbols, state):
        out, state = self.cell(self.words(symbols), state)
        return self.says(out), state


reader = Reader()
opt = torch.optim.Adam(reader.parameters(), lr=0.01)
for epoch in range(3):
    state, parts = None, [(symbols[t : t + 21][:-1], symbols[t + 1 : t + 21]) for t in range(0, 399, 20)]
    opt.zero_grad()
    for k, (x, y) in enumerate(parts):
        guess, state = reader(x, state)
        state = tuple(part.detach() for part in state)
        (nn.functional.cross_entropy(guess.flatten(0, 1), y.flatten()) / 2).backward()
        if k % 2 == 1 or k + 1 == len(parts):
            opt.step()
            opt.zero_grad()
"""

# what is to come is read off window after window; in training each begins anew
_AHEAD = """
import torch
from torch import nn

torch.manual_seed(0)
tide = torch.arange(60.0).mul(0.4).sin() + 0.1 * torch.randn(60)


class Gauge(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.says = nn.LSTM(1, 8), nn.Linear(8, 1)
        self.kept = None

    def forward(self, level):
        out, self.kept = self.cell(level.view(-1, 1, 1), self.kept)
        return self.says(out[-1]).view(())


gauge = Gauge()
opt = torch.optim.Adam(gauge.parameters(), lr=0.01)
for epoch in range(2):
    for t in range(0, 40, 4):
        gauge.kept = None
        loss = (gauge(tide[t : t + 8]) - tide[t + 8]).pow(2)
        opt.zero_grad()
        loss.backward()
        opt.step()
told = tide[-8:].tolist()
with torch.no_grad():
    for hour in range(5):
        GIVEN
print(told[8:])
"""

FAULTY = (
    (_HEAD + _RANDOM + _STEP.format(state="state"), 28),
    (filled(_KEPT, shuffle="True", begin="pass"), 11),
    (filled(_PARTS, before="left = None", drawn=_PICKED, each="pass"), 19),
    (_AHEAD.replace("GIVEN", "told.append(gauge(torch.tensor(told[-8:])).item())"), 16),
)
SOUND = (
    _HEAD + _FOLLOWING + _STEP.format(state="state"),
    _HEAD.replace("randint(0, 30", "randint(0, 3") + _TAGS + _STEP.format(state="state"),
    _HEAD + _RANDOM + _STEP.format(state="None"),
    filled(_PARTS, before="", drawn=_PICKED, each="left = None"),
    filled(_PARTS, before="", drawn=_LOADED, each="left = None"),
    filled(_KEPT, shuffle="False", begin="pass"),
    filled(_KEPT, shuffle="True", begin="meter.state = None"),
    _GATHERED,
    _AHEAD.replace("GIVEN", "gauge.kept = None; told.append(gauge(torch.tensor(told[-8:])).item())"),
    _AHEAD.replace("GIVEN", "told.append(gauge(torch.tensor(told[-8:] if hour == 0 else told[-1:])).item())"),
)
