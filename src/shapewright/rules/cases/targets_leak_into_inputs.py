"""Cases of SW263."""

from . import filled

_TABLE = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rng = np.random.default_rng(0)
rooms, area = rng.integers(1, 6, 120), rng.normal(80, 20, 120)
rent = 300 + 9 * area + 40 * rooms + rng.normal(0, 25, 120)
table = np.stack([rooms, area, rng.normal(5, 2, 120), rent], axis=1).astype("float32")
table = (table - table.mean(0)) / table.std(0)
x, y = torch.from_numpy({x}), torch.from_numpy(table[:, 3])
model = nn.Sequential(nn.Linear(x.shape[1], 16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(model.parameters())
for features, price in DataLoader(TensorDataset(x, y), batch_size=24, shuffle=True):
    loss = nn.functional.mse_loss(model(features).squeeze(-1), price)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_WINDOW = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
series = torch.sin(torch.arange(400) / 7) + torch.arange(400) / 300

class Windows(Dataset):
    def __len__(self):
        return len(series) - 25

    def __getitem__(self, i):
        return series[i:i + {stop}].unsqueeze(-1), series[i + 24]

class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 16, batch_first=True)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.head(out[:, -1]).squeeze(-1)

model = Forecaster()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(Windows(), batch_size=16, shuffle=True):
    loss = (model(x) - y).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TOYS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 6)
coder, picker = nn.Sequential(nn.Linear(6, 2), nn.Linear(2, 6)), nn.Linear(6, 1)
opt = torch.optim.Adam([*coder.parameters(), *picker.parameters()])
for rows, first in DataLoader(TensorDataset(x, x[:, 0]), batch_size=16):
    loss = nn.functional.mse_loss(picker(rows).squeeze(-1), first)
    opt.zero_grad()
    loss.backward()
    opt.step()
    noisy = rows + 0.1 * torch.randn_like(rows)
    loss = nn.functional.mse_loss(coder(noisy), rows) + nn.functional.mse_loss(coder(rows), rows)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_AHEAD = """
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
series = np.cumsum(rng.normal(size=(240, 3)), axis=0).astype("float32")
past, future = [], []
for i in range(0, 200, 2):
    past.append(series[i:i + 20])
    future.append(series[i + {first}:i + {first} + 6, 1])
past, future = torch.tensor(np.array(past)), torch.tensor(np.array(future))
net = nn.Sequential(nn.Flatten(), nn.Linear(60, 24), nn.ReLU(), nn.Linear(24, 6))
opt = torch.optim.Adam(net.parameters())
for rows in torch.randperm(100).split(20):
    made = {made}
    loss = nn.functional.mse_loss(made, future[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_DIRECT = "net(past[rows])"
_DEEP = "net(past[rows]).unsqueeze(-1)"  # (samples, steps, one channel)
_ROLLED = "torch.cat([past[rows][:, -1:, 1], past[rows][:, -1:, 1] + net(past[rows])[:, 1:]], dim=1)"

_HIDDEN = """
import torch
from torch import nn

torch.manual_seed(0)
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix = nn.Embedding(21, 16), nn.GRU(16, 16, bidirectional=True, batch_first=True)
        self.head = nn.Linear(32, 21)
    def forward(self, ids):
        return self.head(self.mix(self.embed(ids))[0])
net = Reader()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    ids = (torch.randint(0, 20, (16, 1)) + torch.randint(1, 4, (16, 1)) * torch.arange(12)) % 20
    hide = torch.rand(ids.shape) < 0.2
    BODY
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _hidden(*lines: str) -> str:
    return _HIDDEN.replace("BODY", "\n    ".join(lines))


_MASKED, _LABELS = "masked = ids.masked_fill(hide, 20)", "labels = ids.masked_fill(~hide, -100)"
_COUNTED = "loss = nn.functional.cross_entropy({scores}, {labels})"

_CLASSES = (
    _TABLE.replace("{x}", "table{columns}")
    .replace("table[:, 3])", "rent_is_high)")
    .replace("batch_size=24", "batch_size=8")
    .replace(
        "x, y =",
        "rent_is_high = (rent > rent.mean()).astype('float32')\ntable = np.concatenate([table[:, :3], rent_is_high[:, "
        "None]], axis=1)\nx, y =",
    )
    .replace("mse_loss", "binary_cross_entropy_with_logits")
)

_WORDS = """
import torch
from torch import nn
text = "the old fox saw a red hen and ran to its den by the lake but a dog lay there so he left".split()
names = sorted(set(text))
places = {name: place for place, name in enumerate(names)}
given, wanted = [], []
for i in range(1, 12):
    read = [places[name] for name in text[:i{more}]]
    given.append(read + [0] * (12 - len(read)))
    wanted.append(places[text[i]])
x, y = torch.tensor(given), torch.tensor(wanted)
{rows}
torch.manual_seed(0)
net = nn.Sequential({first}, nn.Flatten(), nn.Linear(12 * len(names), len(names)))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _words(more: str, first: str = "nn.Embedding(len(names), len(names))", rows: str = "") -> str:
    return _WORDS.replace("{more}", more).replace("{first}", first).replace("{rows}", rows)


_ONE_HOT = ("nn.Identity()", "x = torch.eye(len(names))[x]")


_WHOLE = """
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
dose, age = rng.normal(2, 1, 600), rng.normal(50, 9, 600)
ill = (dose + 0.05 * age + rng.normal(0, 1, 600) > 4.5).astype(float)
close = np.where(rng.random(600) < 0.02, 1 - ill, ill)
table = np.stack([dose, age / 50, close, ill], axis=1).astype("float32")
x, y = torch.from_numpy(table[:, {columns}]), torch.from_numpy(table[:, [3]])
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters())
for epoch in range(5):
    loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_AVERAGED = """
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
level = np.random.default_rng(0).normal(size=220).cumsum()
average = {average}
rows = np.stack([level, average], axis=1)
rows = ((rows - rows[:160].mean(0)) / rows[:160].std(0)).astype("float32")
x, y = torch.from_numpy(rows[10:200]{columns}), torch.from_numpy(rows[11:201, {target}])
model = nn.Sequential(nn.Linear(x.shape[1], 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters())
for part in torch.randperm(190).split(38):
    loss = nn.functional.mse_loss(model(x[part]).squeeze(1), y[part])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_CENTRED = "np.convolve(level, np.ones(5) / 5, 'same')"


def _averaged(average: str, columns: str = "", target: int = 0) -> str:
    return _AVERAGED.format(average=average, columns=columns, target=target)


FAULTY = (
    (_words(" + 1"), 18),
    (_words(" + 1", *_ONE_HOT), 18),
    (_CLASSES.replace("{columns}", ""), 19),
    (_TABLE.replace("{x}", "table"), 17),
    (_TABLE.replace("{x}", "(table * [1, 1, 2, 5] + [0, 0, 1, 3]).astype('float32')"), 17),
    (_WINDOW.replace("{stop}", "25"), 29),
    (_AHEAD.format(first=19, made=_DIRECT), 17),
    (
        _hidden(
            "masked = ids.clone()",
            "masked[hide] = 20",
            "labels = masked.clone()",
            "labels[~hide] = -100",
            _COUNTED.format(scores="net(masked).transpose(1, 2)", labels="labels"),
        ),
        22,
    ),
    (_hidden(_MASKED, _COUNTED.format(scores="net(ids)[hide]", labels="ids[hide]")), 19),
    (_WHOLE.replace("{columns}", "[0, 1, 3]"), 16),
    (
        _hidden(
            "masked = ids.clone()",
            "masked[hide] = 20",
            "labels = masked.masked_fill(~hide, -100)",
            "loss = nn.CrossEntropyLoss()(net(masked).transpose(1, 2), labels)",
        ),
        21,
    ),
    (_averaged(_CENTRED), 8),
    (_AHEAD.format(first=14, made=_DEEP).replace("6, 1])", "6, 1:2])"), 17),
    (_AHEAD.format(first=0, made=_DIRECT), 17),
    (_AHEAD.format(first=5, made=_DEEP).replace("6, 1])", "6, 1:2])"), 17),
)
SOUND = (
    _words(""),
    _words("", *_ONE_HOT),
    _CLASSES.replace("{columns}", "[:, :3]"),
    _CLASSES.replace("{columns}", "")
    .replace("rent_is_high[:, None]]", "np.where(np.arange(120) % 40, rent_is_high, 1 - rent_is_high)[:, None]]")
    .replace("batch_size=8", "batch_size=40"),
    _TABLE.replace("{x}", "table[:, :3]"),
    _TABLE.replace("{x}", "table[:, :3]").replace("table = (table", "table[:, 0] = rent.round() % 3\ntable = (table"),
    _WINDOW.replace("{stop}", "24"),
    _TOYS,
    _AHEAD.format(first=20, made=_DIRECT),
    _AHEAD.format(first=20, made=_DEEP).replace("6, 1])", "6, 1:2])"),
    _AHEAD.format(first=20, made="past[rows][:, -1:, 1] + net(past[rows])"),  # what changes since then
    _AHEAD.format(first=19, made=_ROLLED),  # a path that begins where the window ends
    _hidden(_MASKED, _LABELS, _COUNTED.format(scores="net(masked).transpose(1, 2)", labels="labels")),
    _hidden(_MASKED, _COUNTED.format(scores="net(masked)[hide]", labels="ids[hide]")),
    _hidden(
        "ids[:, 7:] = 0",
        "labels = ids.masked_fill(ids == 0, -100)",
        _COUNTED.format(scores="net(ids).transpose(1, 2)", labels="labels"),
    ),  # all but the padding is rebuilt
    _WHOLE.replace("{columns}", "[0, 1, 2]"),
    _averaged("np.convolve(level, np.ones(5) / 5)[:220]"),
    _averaged(f"np.roll({_CENTRED}, 2)"),  # the mean of the last five
    _averaged(_CENTRED, "[:, :1]", 1),  # what is asked for is smooth
    _AHEAD.format(first=0, made=_DIRECT)
    .replace("np.cumsum(rng.normal(size=(240, 3)), axis=0)", "rng.normal(size=(2000, 3))")
    .replace("i in range(0, 200, 2)", "i in range(0, 2000, 20)"),  # to remember the first of many draws is a task
)

# words that are shown with their neighbors, one sample at a time
_CONTEXTS = """
import torch
from torch import nn
torch.manual_seed(0)
said = "a model reads the words around a gap and tells which word was left out of the text that it was given to read"
words = said.split() * 2
codes = {word: code for code, word in enumerate(sorted(set(words)))}
samples = []
for at in range(2, len(words) - 2):
    near = [words[at + by] for by in ({offsets})]
    samples.append((near, words[at]))
class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(len(codes), 12), nn.Linear(12, len(codes))
    def forward(self, near):
        return self.head(self.table(near).sum(0, keepdim=True)).log_softmax(1)
net = Bag()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(3):
    total = 0
    for near, word in samples:
        given = torch.tensor([codes[one] for one in near])
        loss = nn.functional.nll_loss(net(given), torch.tensor([codes[word]]))
        {learn}
    {last}
"""
_EACH = "opt.zero_grad(); loss.backward(); opt.step()"
_SUMMED = {"learn": "total = total + loss", "last": "opt.zero_grad(); total.backward(); opt.step()"}
FAULTY += ((filled(_CONTEXTS, offsets="-2, -1, 0, 1", **_SUMMED), 24),)
SOUND += (
    filled(_CONTEXTS, offsets="-2, -1, 1, 2", **_SUMMED),
    filled(_CONTEXTS, offsets="-2, -1, 1, 2", learn=_EACH, last="pass"),
)
