"""Cases of SW260."""

from . import filled
from .later_tokens_seen import _SOUND

_CELL = """
import torch
from torch import nn

torch.manual_seed(0)
V, H = 12, 24
text = torch.randint(0, V, (8, 15))
emb, cell, head = nn.Embedding(V, H), nn.GRUCell(H, H), nn.Linear(H, V)
opt = torch.optim.Adam([*emb.parameters(), *cell.parameters(), *head.parameters()], lr=1e-2)
for epoch in range(2):
    h, loss, given = torch.zeros(8, H), 0, torch.zeros(8, dtype=torch.long)
    for t in range(14):
        h = cell(emb({given}), h)
        loss = loss + nn.functional.cross_entropy(head(h), text[:, {asked}])
        given = text[:, t]
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_FUNCTION = """
import torch

torch.manual_seed(0)
V, H = 12, 24
text = torch.randint(0, V, (8, 15))
E, W, O = (torch.randn(*size, requires_grad=True) for size in ((V, H), (H, H), (H, V)))

def scores(ids):
    h, out = torch.zeros(len(ids), H), []
    for t in range(ids.shape[1]):
        h = torch.tanh(E[ids[:, t]] + 0.1 * h @ W)
        out.append(h @ O)
    return torch.stack(out, 1)

opt = torch.optim.SGD([E, W, O], lr=0.1)
for epoch in range(2):
    logits = scores(text{given})
    loss = torch.nn.functional.cross_entropy(logits.reshape(-1, V), text{asked}.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_WAVE = """
import torch
from torch import nn

torch.manual_seed(0)
wave = torch.sin(torch.linspace(0, 6, 41))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.out = nn.RNN(1, 12, batch_first=True{more}), nn.Linear({wide}, 1)

    def forward(self, x):
        return self.out(self.rnn(x[None, :, None])[0])[0, :, 0]

net = Net()
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    x, y = wave{given}, wave{asked}
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LABELS = """
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 5)
y = x[:, :4].argmax(1)

class Margin(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.w = nn.Linear(5, 8), nn.Parameter(torch.randn(4, 8))

    def forward(self, x, y):
        scores = nn.functional.normalize(self.body(x)) @ nn.functional.normalize(self.w).t()
        return 10 * (scores - 0.2 * nn.functional.one_hot(y, 4))

net = Margin()
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    loss = nn.functional.cross_entropy(net(x, y), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_STARTED = """
import torch
from torch import nn

torch.manual_seed(0)
text, kinds = torch.randint(0, 9, (32, 12)), torch.randint(0, 3, (32,))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn = nn.Embedding(10, 16), nn.GRU(16, 16, batch_first=True)
        self.out, self.kind = nn.Linear(16, 9), nn.Linear(16, 3)

    def forward(self, x):
        out, last = self.rnn(self.emb({given}))
        return self.out({kept}), self.kind(last[0])

net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for i in range(0, 32, 8):
    said, kind = net(text[i:i + 8])
    loss = nn.functional.cross_entropy(said.transpose(1, 2), text[i:i + 8])
    opt.zero_grad()
    (loss + nn.functional.cross_entropy(kind, kinds[i:i + 8])).backward()
    opt.step()
"""

_PICTURE = """
import torch
from torch import nn
torch.manual_seed(0)
class Masked(nn.Conv2d):
    def __init__(self, own, *sizes):
        super().__init__(*sizes, padding=1)
        mask = torch.ones(3, 3)
        mask[1, 1 + own :] = 0
        mask[2:] = 0
        self.register_buffer("mask", mask)
    def forward(self, x):
        return nn.functional.conv2d(x, self.weight * self.mask, self.bias, padding=1)
net = nn.Sequential({first}, nn.ReLU(), {second})
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = (torch.rand(4, 1, 6, 6) < 0.4).float()
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LETTERS = """
import torch
from torch import nn

torch.manual_seed(0)
WORDS = "what is read is what was said and what is said again is what will be read by all who can read it " * 6
codes = {{letter: at for at, letter in enumerate(sorted(set(WORDS)))}}
text = torch.tensor([codes[letter] for letter in WORDS]).view(6, -1)
embed, rnn, head = nn.Embedding(len(codes), 8), nn.GRU(8, 12, batch_first=True{more}), nn.Linear({wide}, len(codes))
opt = torch.optim.Adam([*embed.parameters(), *rnn.parameters(), *head.parameters()])

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = embed, rnn, head

    def forward(self, x):
        return self.head(self.rnn(self.embed(x{turn}))[0]{turn})

model = Reader()
for at in range(1, 61, 15):
    x, y = text[:, at:at + 15], text[:, at {by} 1:at + 15 {by} 1]
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ONE_BY_ONE = """
import torch
from torch import nn

torch.manual_seed(0)
word = torch.tensor([3, 1, 0, 2, 2, 4, 1, 0, 3])
rows, told = torch.eye(5)[word], word[{asked}]
cell, head = nn.RNNCell(5, 8), nn.Linear(8, 5)
opt = torch.optim.Adam([*cell.parameters(), *head.parameters()], lr=0.05)
for epoch in range(2):
    state, loss = torch.zeros(1, 8), 0
    for row, letter in zip(rows, told):
        state = cell(row.view(1, 5), state)
        loss = loss + nn.functional.cross_entropy(head(state), letter.view(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_JUDGED_FIRST = """
import torch
from torch import nn

torch.manual_seed(0)
story = torch.randint(0, 20, (400,))


def some(steps=8):
    starts = torch.randint(0, len(story) - steps, (12,)).tolist()
    asked = torch.stack([story[s{by} : s{by} + steps] for s in starts])
    return torch.stack([story[s : s + steps] for s in starts]), asked


class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 20)

    def forward(self, ids, asked):
        scores = self.table(ids).flatten(0, 1)
        return scores, nn.functional.cross_entropy(scores, asked.flatten())


net = Pairs()
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
for turn in range(40):
    if turn % 10 == 0:
        net.eval()
        with torch.no_grad():
            print(sum(net(*some())[1].item() for _ in range(20)) / 20)
        net.train()
    _, loss = net(*some())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_ONE_BY_ONE.format(asked=":"), 14),
    (_LETTERS.format(more="", wide=12, turn="", by="-"), 23),
    (
        """
import torch
from torch import nn

torch.manual_seed(0)
V = 25

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 16)
        self.rnn, self.out = nn.LSTM(16, 16, batch_first=True), nn.Linear(16, V)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])

model = LM()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    ids = torch.randint(0, V, (6, 12))
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), ids.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        22,
    ),
    (_CELL.format(given="text[:, t]", asked="t"), 14),
    (_FUNCTION.format(given="", asked=""), 19),
    (_WAVE.format(more="", wide=12, given="[:-1]", asked="[:-1]"), 20),
    (_STARTED.format(given="x", kept="out"), 22),
    (filled(_PICTURE, first="Masked(1, 1, 4, 3)", second="Masked(1, 4, 1, 3)"), 14),
    (filled(_JUDGED_FIRST, by=""), 22),
)
SOUND = (
    _ONE_BY_ONE.format(asked="1:"),
    _LETTERS.format(more="", wide=12, turn="", by="+"),
    _LETTERS.format(more="", wide=12, turn=".flip(1)", by="-"),  # reads backwards
    _LETTERS.format(more=", bidirectional=True", wide=24, turn="", by="-"),
    _CELL.format(given="text[:, t + 1]", asked="t"),  # drawn numbers are to be remembered
    _STARTED.format(given="torch.cat([torch.full((len(x), 1), 9), x], 1)", kept="out[:, :-1]"),
    _SOUND,
    _CELL.format(given="given", asked="t"),
    _CELL.format(given="text[:, t]", asked="t + 1"),
    _FUNCTION.format(given="[:, :-1]", asked="[:, 1:]"),
    _WAVE.format(more="", wide=12, given="[:-1]", asked="[1:]"),
    _WAVE.format(more=", bidirectional=True", wide=24, given="", asked=""),  # an autoencoder reads both ways
    _LABELS,
    filled(_PICTURE, first="Masked(0, 1, 4, 3)", second="Masked(1, 4, 1, 3)"),
    filled(_PICTURE, first="nn.Conv2d(1, 4, 3, padding=1)", second="nn.Conv2d(4, 1, 3, padding=1)"),  # autoencoders
    filled(_PICTURE, first="nn.Conv2d(1, 4, 1)", second="nn.Conv2d(4, 1, 1)"),
    filled(_JUDGED_FIRST, by=" + 1"),
)

# the order in which a masked net predicts its own inputs
_MASKED = """
import torch
from torch import nn
torch.manual_seed(0)
class Masked(nn.Linear):
    def __init__(self, keep):
        super().__init__(keep.shape[1], keep.shape[0])
        self.register_buffer("keep", keep.float())
    def forward(self, x):
        return nn.functional.linear(x, self.weight * self.keep, self.bias)
order = {order}
inner = torch.arange(64) % 15
net = nn.Sequential(
    Masked(inner[:, None] >= order[None]), nn.ReLU(), Masked(order[:, None] {sign} inner[None]), {last}
)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(3):
    x = (torch.rand(6, 16) < 0.4).float()
    loss = nn.functional.binary_cross_entropy_with_logits(net({given}), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_TRIANGLE = "Masked(torch.ones(16, 16).tril({}))"
FAULTY += (
    (filled(_MASKED, order="torch.randperm(16)", sign=">=", last="nn.Identity()", given="x"), 19),
    (filled(_MASKED, order="torch.arange(16).flip(0)", sign=">=", last="nn.Identity()", given="x"), 19),
)
SOUND += (
    filled(_MASKED, order="torch.randperm(16)", sign=">", last="nn.Identity()", given="x"),
    filled(_MASKED, order="torch.arange(16)", sign=">", last=_TRIANGLE.format(0), given="x"),
    # what is dropped is to be told from the rest: a denoising net in some order
    filled(_MASKED, order="torch.arange(16)", sign=">=", last="nn.Identity()", given="x * (torch.rand(6, 16) < 0.7)"),
    filled(_MASKED, order="torch.zeros(16)", sign=">=", last="nn.Identity()", given="x"),  # an autoencoder
)
