"""Cases of SW358."""

from . import filled

CELL = """\
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(40, 9, 3)
y = (x[:, :, 0].sum(1) > 0).long()


class Step(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3 + 12, 12)

    def forward(self, a, h):
        return torch.tanh(self.mix(torch.cat([a, h], 1)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = Step()
        self.out = nn.Linear(12, 2)

    def forward(self, x):
        h = torch.zeros(len(x), 12)
        for t in range(x.size(1)):
{body}
        return self.out(h)

net = Net()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PADDED = CELL.replace("torch.cat([a, h], 1)", "torch.cat([a, torch.zeros(len(a), 2), h[:, :10]], 1)")

LAYER = """\
import torch
from torch import nn

torch.manual_seed(0)
words = torch.randint(0, 20, (64, 30))
embed, out = nn.Embedding(20, 8), nn.Linear(16, 20)
rnn = nn.{kind}(8, 16)
held = [*embed.parameters(), *rnn.parameters(), *out.parameters()]
opt = torch.optim.Adam(held)
for epoch in range(2):
    batch = words[torch.randperm(64)[:16]]
    state = {start}
    loss = 0.0
    for t in range(29):
        made, {kept} = rnn(embed(batch[:, t]){shaped}, state)
        loss = loss + nn.functional.cross_entropy(out(made{flat}), batch[:, t + 1])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GRU = {"kind": "GRU", "start": "torch.zeros(1, 16, 16)", "shaped": "[None]", "flat": "[0]"}
LSTM = {"kind": "LSTM", "start": "None", "shaped": "[None]", "flat": "[0]"}

SPANS = """\
import torch
from torch import nn

torch.manual_seed(0)
text = torch.randint(0, 20, (6, 121))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = nn.Embedding(20, 8), nn.LSTM(8, 16, batch_first=True), nn.Linear(16, 20)

    def forward(self, words, state=None):
        made, state = self.rnn(self.embed(words), state)
        return self.out(made), state

model = Reader()
opt = torch.optim.Adam(model.parameters())
state = None
for at in range(0, 120, 10):
    scores, {kept} = model(text[:, at:at + 10]{given})
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), text[:, at + 1:at + 11].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    {after}
"""
ROWS = """\
import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(60, 7, 3), torch.randn(60, 1)
rnn, out = nn.GRU(3, 10, batch_first=True), nn.Linear(10, 1)
opt = torch.optim.Adam([*rnn.parameters(), *out.parameters()])
for at in range(0, 60, 12):
    made, _ = rnn(x[at:at + 12])
    loss = (out(made[:, -1]) - y[at:at + 12]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
for row in range(60):
    made, _ = rnn(x[row])
    print(out(made[-1]).item())
"""

LETTERS = """\
import torch
from torch import nn

torch.manual_seed(0)
text = torch.randint(0, 12, (60,))


class Letters(nn.Module):
    def __init__(self):
        super().__init__()
        self.letter, self.cell, self.out = nn.Embedding(12, 8), nn.{kind}(8, 16), nn.Linear(16, 12)

    def forward(self, letter, state):
        state = self.cell(self.letter(letter){shaped}, state)
        return self.out({made}), {left}

net = Letters()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    state, loss = torch.zeros({start}), 0.0
    for {each}:
        scores, {kept} = net({letter}, state)
        loss = loss + nn.functional.cross_entropy(scores, {target})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_ONE = {"kind": "GRUCell", "shaped": "", "made": "state", "left": "state", "start": "1, 16"}
_ONE |= {"each": "at in range(20)", "letter": "text[at:at + 1]", "target": "text[at + 1:at + 2]"}
_EACH = {"kind": "RNN", "shaped": ".view(1, 1, 8)", "made": "state[0][0]", "left": "state[1]", "start": "1, 1, 16"}
_EACH |= {"each": "a, b in zip(text[:20], text[1:21])", "letter": "a", "target": "b[None]"}

_PAIR = """\
import torch
from torch import nn

torch.manual_seed(0)
series = torch.randn(32, 10, 3)
cell, out = nn.LSTMCell(3, 12), nn.Linear(12, 3)
opt = torch.optim.Adam([*cell.parameters(), *out.parameters()])
for _ in range(3):
    h, c = series.new_zeros(32, 12), torch.tanh(series.mean((1, 2)))[:, None].repeat(1, 12)
    told = []
    for t in range(9):
        {step}
        told.append(out(h))
    loss = nn.functional.mse_loss(torch.stack(told, 1), series[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_WRITER = """\
import torch
from torch import nn
torch.manual_seed(0)
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.letter, self.read = nn.Embedding(9, 8), nn.GRU(8, 12, batch_first=True)
        self.cell, self.out = nn.{kind}, nn.Linear(12, 9)
    def forward(self, given, said):
        made, _ = self.{run}
        return self.out(made)
    @torch.no_grad()
    def write(self, given):
        h, letter, told = self.read(self.letter(given))[1], given[:, -1:], []
        for _ in range(5):
            {step}
            letter = self.out(made[:, -1:]).argmax(-1)
            told.append(letter)
        return torch.cat(told, 1)
writer = Writer()
opt = torch.optim.Adam(writer.parameters())
words = torch.randint(0, 9, (16, 11))
for _ in range(2):
    scores = writer(words[:, :4], words[:, 4:-1])
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), words[:, 5:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
print(writer.write(words[:, :4]))
"""
_WRITER = _WRITER.replace("{kind}", "GRU(8, 12, batch_first=True)")
_WRITER = _WRITER.replace("{run}", "cell(self.letter(said), self.read(self.letter(given))[1])")

_ARRAYS = """\
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
WORDS = "what is read is what was said and what is said again is what will be read by all who can read it " * 6
letters = sorted(set(WORDS))
text = np.array([letters.index(letter) for letter in WORDS]).reshape(6, -1)
eye = np.eye(len(letters), dtype=np.float32)


def windows(rows):
    for at in {order}:
        yield eye[rows[:, at:at + 8]], rows[:, at + 1:at + 9]


class Reader(nn.Module):
    def __init__(self, kinds):
        super().__init__()
        self.rnn, self.out = nn.LSTM(kinds, 16, batch_first=True), nn.Linear(16, kinds)

    def forward(self, words, state):
        made, state = self.rnn(words, state)
        return self.out(made), state

model = Reader(len(letters))
opt = torch.optim.Adam(model.parameters())
state = torch.zeros(1, 6, 16), torch.zeros(1, 6, 16)
for x, y in windows(text):
    state = {state}
    scores, state = model(torch.from_numpy(x), state)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), torch.from_numpy(y.copy()).flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_ON = "range(0, rows.shape[1] - 9, 8)"

# the state of a wave that goes on, and of waves of their own
_WAVES = """
import torch
from torch import nn

torch.manual_seed(0)
class Follower(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.out = nn.GRU(1, 12, batch_first=True), nn.Linear(12, 1)
    def forward(self, wave, state):
        made, state = self.rnn(wave, state)
        return self.out(made), state
model, state = Follower(), None
opt = torch.optim.Adam(model.parameters())
for at in range(8):
    angle = torch.linspace(at * 2.0, at * 2.0 + 2.0, 12)[None, :, None]
    told, state = model(angle.sin(), {begun})
    {kept}
    loss = nn.functional.mse_loss(told, angle.cos())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_ARRAYS, order=_ON, state="torch.zeros(1, 6, 16), torch.zeros(1, 6, 16)"), 31),
    (CELL.format(body="            h = torch.zeros(len(x), 12)\n            h = self.step(x[:, t], h)"), 28),
    (
        CELL.format(body="            new = self.step(x[:, t], h)").replace("self.out(h)", "self.out(new)"),
        27,
    ),
    (LAYER.format(**GRU, kept="_"), 15),
    (LAYER.format(**LSTM, kept="_"), 15),
    (SPANS.format(kept="_", given=", state", after=""), 21),
    (SPANS.format(kept="state", given="", after="state = tuple(part.detach() for part in state)"), 21),
    (LETTERS.format(**_ONE, kept="_"), 22),
    (LETTERS.format(**_EACH, kept="_"), 22),
    (_PAIR.format(step="h, _ = cell(series[:, t], (h, c))"), 12),
    (_PAIR.format(step="_, c = cell(series[:, t], (h, c))"), 12),
    (_WRITER.format(step="made, _ = self.cell(self.letter(letter), h)"), 16),
    (_WRITER.format(step="made, h = self.cell(self.letter(letter))"), 16),
    (_WAVES.format(begun="None", kept="state = state.detach()"), 17),
    (_WAVES.format(begun="None", kept="state = tuple(part.data for part in state)").replace("GRU", "LSTM"), 17),
)

_BARE = SPANS.replace("model = Reader()", "model = Reader()\nrnn = model.rnn").replace(
    "scores, {kept} = model(text[:, at:at + 10]{given})",
    "scores = model.out(rnn(model.embed(text[:, at:at + 10]))[0])",
)
SOUND = (
    filled(_ARRAYS, order=_ON, state="tuple(part.detach() for part in state)"),
    filled(
        _ARRAYS,
        order="np.random.default_rng(0).permutation(rows.shape[1] - 9)",
        state="torch.zeros(1, 6, 16), torch.zeros(1, 6, 16)",
    ),
    CELL.format(body="            h = self.step(x[:, t], h)"),
    PADDED.format(body="            h = self.step(x[:, t], h)"),
    LAYER.format(**GRU, kept="state"),
    LAYER.format(**LSTM, kept="state"),
    SPANS.format(kept="state", given=", state", after="state = tuple(part.detach() for part in state)"),
    ROWS,
    _BARE.format(after=""),
    LETTERS.format(**_ONE, kept="state"),
    LETTERS.format(**_EACH, kept="state"),
    _PAIR.format(step="h, c = cell(series[:, t], (h, c))"),
    _WRITER.format(step="made, h = self.cell(self.letter(letter), h)"),
    _WRITER.format(step="made, _ = self.cell(self.letter(torch.cat([given, *told], 1)), h)"),  # reads all of it anew
    _WAVES.format(begun="state", kept="state = state.detach()"),
    _WAVES.format(begun="state", kept="state = tuple(part.data for part in state)").replace("GRU", "LSTM"),
    _WAVES.format(begun="None", kept="print(float(state.detach().norm()))"),  # only looked at
    _WAVES.format(begun="None", kept="del state"),
    # waves of their own, after which the state is of no use
    _WAVES.format(begun="None", kept="state = state.detach()").replace("at * 2.0 + 2.0", "at * 2.0 + 1.0"),
    _WAVES.format(begun="None", kept="state = state.detach()").replace("(at * 2.0", "(0.0"),
)
