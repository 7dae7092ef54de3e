"""Cases of SW259."""

_OWN = """
import torch
from torch import nn
torch.manual_seed(0)
V, T = 25, 12

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.qkv, self.out = nn.Embedding(V, 16), nn.Linear(16, 48), nn.Linear(16, V)
        self.register_buffer("seen", torch.ones(T, T).tril({ahead}).bool())

    def forward(self, ids, wanted=None):
        h = self.emb(ids)
        q, k, v = self.qkv(h).chunk(3, dim=-1)
        scores = (q @ k.transpose(1, 2) / 4).masked_fill(~self.seen[: ids.size(1), : ids.size(1)], float("-inf"))
        logits = self.out(h + scores.softmax(-1) @ v)
        if wanted is None:
            return logits, None
        return logits, nn.functional.cross_entropy({pair})

net = Reader()
opt = torch.optim.Adam(net.parameters())
text = torch.randint(V, (400,))
for _ in range(4):
    at = torch.randint(380, (T,))
    x, y = (torch.stack([text[i + by : i + by + T] for i in at]) for by in (0, 1))
    _, loss = net(x, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_WHOLE = "logits.reshape(-1, V), wanted.reshape(-1)"
_ENDED = _OWN.replace(
    "    at = torch.randint(380, (T,))\n"
    "    x, y = (torch.stack([text[i + by : i + by + T] for i in at]) for by in (0, 1))\n",
    "    rows = torch.randint(1, V, (12, T + 1))\n"
    "    rows = rows.masked_fill(torch.arange(T + 1) >= torch.randint(5, T, (12, 1)), 0)\n"
    "    x, y = rows[:, :-1], rows[:, 1:]\n",
)

_SERIES = """
import torch
from torch import nn

torch.manual_seed(0)
s = torch.sin(torch.arange(200.0) / 5) + 0.1 * torch.randn(200)
windows = s.unfold(0, 25, 5).clone()

class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Conv1d(1, 8, 3, padding=2), nn.Conv1d(8, 1, 3, padding=2)

    def forward(self, x):
        x = self.first(x)[..., {cut}].relu()
        return self.last(x)[..., {cut}]

model = Causal()
opt = torch.optim.Adam(model.parameters())
for b in torch.randperm(len(windows)).split(12):
    x, y = {pair}
    loss = (model(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_NEXT = "windows[b, None, :-1], windows[b, None, 1:]"
_NOISY = "windows[b, None] + 0.1 * torch.randn(len(b), 1, 25), windows[b, None]"
_TURNED = "windows[b, None], windows[b, None].roll(-1, 2)"

# steps of a prefix see each other; after it every step sees what came before
_PREFIX = """
import torch
from torch import nn

torch.manual_seed(0)
V, T = 25, 12

class PrefixModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.at = nn.Embedding(V, 16), nn.Embedding(T, 16)
        self.body, self.out = nn.TransformerEncoderLayer(16, 2, 32, 0.0, batch_first=True), nn.Linear(16, V)

    def forward(self, ids, begins):
        steps = torch.arange(ids.size(1))
        seen = (steps[None, :] <= steps[:, None]) | (steps[None, :] < begins[:, None, None])
        mask = ~seen.repeat_interleave(2, 0)
        return self.out(self.body(self.emb(ids) + self.at(steps), src_mask=mask))

model = PrefixModel()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text, begins = torch.randint(0, V, (6, T + 1)), torch.randint(6, 9, (6,))
    inputs, targets = text[:, :-1], text[:, 1:]
    targets = targets.masked_fill(torch.arange(T) < begins[:, None] - {least}, -100)
    logits = model(inputs, begins)
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), targets.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# one pair of short texts, positions counted for their length alone, and a mask that NumPy makes
_PAIR_OF_TEXTS = """
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
words, start = 9, 8
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.word, self.place = nn.Embedding(words, 16), nn.Embedding(5, 16)
    def forward(self, text):
        return self.word(text) + self.place(torch.tensor([[0, 1, 2, 3, 4]]))
class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.other, self.out = Reader(), Reader(), nn.Linear(16, words)
        self.asks, self.asked = nn.Linear(16, 16), nn.Linear(16, 16)
    def look(self, one, other, hidden):
        scores = self.asks(one) @ self.asked(other).transpose(1, 2) / 4
        if hidden is not None:
            scores = scores.masked_fill(hidden, -1e9)
        return one + scores.softmax(-1) @ other
    def forward(self, source, text):
        ahead = np.triu(np.ones((1, text.shape[1], text.shape[1])), k={above})
        hidden = torch.from_numpy(ahead).bool()
        made, read = self.own(text), self.other(source)
        made = self.look(made, made, hidden)
        return self.out(self.look(made, self.look(read, read, None), None))
model = Writer()
opt = torch.optim.Adam(model.parameters())
source, text = torch.tensor([[3, 1, 6, 2, 0]]), torch.tensor([[8, 4, 2, 5, 3]])
asked = torch.tensor([[4, 2, 5, 3, 7]])
for _ in range(5):
    loss = nn.functional.cross_entropy(model(source, text).flatten(0, 1), asked.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (
        """
import torch
from torch import nn

torch.manual_seed(0)
V = 25

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.places = nn.Embedding(V, 16), nn.Embedding(32, 16)
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.out = nn.Linear(16, V)

    def forward(self, ids):
        h = self.emb(ids) + self.places(torch.arange(ids.size(1)))
        return self.out(self.body(h))

model = LM()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(0, V, (6, 13))
    logits = model(text[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), text[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        17,
    ),
    (_OWN.format(ahead=1, pair=_WHOLE), 17),
    (_SERIES.format(cut="2:", pair=_NEXT), 15),
    (_PREFIX.format(least=4), 18),
    (_PAIR_OF_TEXTS.format(above=2), 23),
    (_ENDED.format(ahead="2", pair=_WHOLE + ", ignore_index=0"), 17),  # who sees what comes later sees padding, too
)

_SOUND = """
import torch
from torch import nn

torch.manual_seed(0)
V = 25

class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.places = nn.Embedding(V, 16), nn.Embedding(32, 16)
        self.body = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.rnn, self.out = nn.GRU(16, 16, batch_first=True), nn.Linear(16, V)

    def forward(self, ids):
        h = self.emb(ids) + self.places(torch.arange(ids.size(1)))
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1))
        h, _ = self.rnn(self.body(h, src_mask=mask, is_causal=True))
        return self.out(h)

model = LM()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(0, V, (6, 13))
    logits = model(text[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), text[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

SOUND = (
    _OWN.format(ahead=0, pair=_WHOLE),
    _SOUND,
    """
import torch
from torch import nn

torch.manual_seed(0)
V, MASK = 25, 0

# masked tokens are to be filled in: looking both ways is the point
class Filler(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 16)
        self.rnn, self.out = nn.GRU(16, 8, batch_first=True, bidirectional=True), nn.Linear(16, V)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])

model = Filler()
opt = torch.optim.Adam(model.parameters())
for _ in range(3):
    text = torch.randint(1, V, (6, 13))
    hidden = torch.rand(6, 13) < 0.2
    logits = model(text.masked_fill(hidden, MASK))
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), text.masked_fill(~hidden, -100).reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _SERIES.format(cut=":-2", pair=_NEXT),
    _SERIES.format(cut="2:", pair=_NOISY),
    _SERIES.format(cut="2:", pair=_TURNED),
    _PREFIX.format(least=1),
    _PAIR_OF_TEXTS.format(above=1),
)
