"""Cases of SW247."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
table = torch.randn(80, 5) * torch.arange(1.0, 6.0) + 3
goals = table.sum(1, keepdim=True)
{scaled}
train, test = table[:60], table[60:]
{own}
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for pick in torch.randperm(60).split(20):
        loss = (net(train[pick]) - goals[:60][pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(test) - goals[60:]).abs().mean().item())
"""
_PARTS = "train, test = ((part - part.mean(0)) / part.std(0) for part in (train, test))"

_SERIES = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
raw = rng.normal(size=500).cumsum() * 3 + 40
known = raw[:400]
{before}
first, last = {parts}
{scaled}

def cut(part):
    at = np.arange(len(part) - 8)[:, None] + np.arange(9)
    return torch.tensor(part[at], dtype=torch.float32)

mine, held = cut(first), cut(last)
net = nn.Linear(8, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for some in torch.randperm(len(mine)).split(64):
        loss = (net(mine[some, :8]).squeeze(1) - mine[some, 8]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(held[:, :8]).squeeze(1) - held[:, 8]).abs().mean().item())
"""
_LATER = "first, last = ((part - known.{0}()) / known.{1}() for part in (first, last))"
_ALL = "scaled = (raw - raw.mean()) / raw.std()"

_OWN = """
import numpy as np
import torch
from torch import nn

class Scaler:
    def learn(self, rows):
        self.middle, self.width = rows.mean(0), rows.std(0)
        return self

    def scale(self, rows):
        return torch.tensor((rows - self.middle) / self.width, dtype=torch.float32)

raw = np.random.RandomState(0).gamma(2.0, 3.0, size=(90, 5))
order = np.random.RandomState(1).permutation(90)
mine, held = order[:60], order[60:]
scaler = Scaler().learn(raw{of})
x, test = scaler.scale(raw[mine]), scaler.scale(raw[held])
goal = x.sum(1, keepdim=True)
torch.manual_seed(0)
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for part in torch.randperm(60).split(15):
    loss = nn.functional.mse_loss(net(x[part]), goal[part])
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print(net(test).mean().item())
"""

STREAM = """
import random
import numpy as np
import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)
words = "and then all of them went on to read what was said by those who had been there before".split()
text = " ".join(random.choice(words) for _ in range(900))
letters = sorted(set(text))
codes = np.array([letters.index(letter) for letter in text])
eye = np.eye(len(letters), dtype=np.float32)
cut = int(0.8 * len(codes))
{split}


def pieces(stream):
    rows = stream[: len(stream) // 8 * 8].reshape(8, -1)
    for at in range(0, rows.shape[1] - 25, 24):
        yield torch.from_numpy(eye[rows[:, at:at + 24]]), torch.from_numpy(rows[:, at + 1:at + 25].copy())


class Reader(nn.Module):
    def __init__(self, kinds):
        super().__init__()
        self.rnn, self.out = nn.GRU(kinds, 16, batch_first=True), nn.Linear(16, kinds)

    def forward(self, x):
        return self.out(self.rnn(x)[0])


model = Reader(len(letters))
opt = torch.optim.Adam(model.parameters())
for turn in range(2):
    for x, y in pieces(own):
        loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        for stream in {judged}:
            told = [nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten()) for x, y in pieces(stream)]
            print(turn, sum(told) / len(told))
    model.train()
"""

HALVES = "own, rest = codes[:cut], codes[cut:]"

CODED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Sums(Dataset):
    def __init__(self, held):
        places = torch.randperm(400, generator=torch.Generator().manual_seed(3))
        self.places = places[:80] if held else places[80:]

    def __len__(self):
        return len(self.places)

    def __getitem__(self, at):
        a, b = divmod(int(self.places[at]), 20)
        return torch.tensor([a // 10, a % 10, b // 10, b % 10]), torch.tensor(a + b)

mine, held = Sums(False), Sums(True)
net = nn.Sequential(nn.Embedding(10, 4), nn.Flatten(), nn.Linear(16, 40))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
draws = iter(DataLoader(mine, batch_size=20, shuffle=True))
for step in range(12):
    x, y = next(draws)
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    for x, y in DataLoader(held, batch_size=20):
        print((net(x).argmax(1) == y).float().mean().item())
    for x, y in DataLoader(mine, batch_size=20):
        print((net(x).argmax(1) == y).float().mean().item())
"""

# distances between judged rows, in which no row finds itself: a table with infinite numbers has no averages
_NEAREST = """
import torch
from torch import nn

torch.manual_seed(1)
centers = torch.randn(5, 8)

def sample(n):
    kind = torch.randint(0, 5, (n,))
    return centers[kind] + 0.5 * torch.randn(n, 8), kind

x, y = sample(160)
held_x, held_y = sample(60)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for rows in torch.randperm(160).split(20):
        apart = torch.cdist(net(x[rows]), net(x[rows]))
        same = y[rows][:, None] == y[rows]
        loss = apart[same].mean() + (1 - apart[~same]).relu().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        out = net(held_x)
        near = torch.cdist(out, out).fill_diagonal_(float("inf"))
        print((held_y[near.argmin(1)] == held_y).float().mean().item())
"""

# one graph: which nodes are trained on, and which are judged, is told by masks or by places
NODES = """
import torch
from torch import nn

torch.manual_seed(0)
links = (torch.rand(60, 60) < 0.1).float() + torch.eye(60)
links = links / links.sum(1, keepdim=True)
traits, kinds = torch.randn(60, 7), torch.randint(0, 3, (60,))
{parts}
net = nn.Linear(7, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)
for epoch in range(3):
    out = links @ net(traits)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        told = (links @ net(traits)).argmax(1)
        print(epoch, (told[late] == kinds[late]).float().mean().item())
"""
MASKS = "order = torch.randperm(60)\nearly, late = order < 40, order >= 40"
ORDERED = "order = torch.randperm(60)\nearly, late = order[:40], order[40:]"
EVERY_LABEL = "nn.functional.cross_entropy(out, kinds)"
EARLY = "nn.functional.cross_entropy(out[early], kinds[early])"
EACH = NODES + "        print((told[early] == kinds[early]).float().mean().item())\n"
# masks that are written one after the other, and hits of all rows of which each picks its own
HITS = NODES.replace("told[late] == kinds[late]", "told == kinds)[late].float().mean() - ((told == kinds)[early]")
WRITTEN = """order = torch.randperm(60)
early = torch.zeros(60, dtype=torch.bool)
early[order[:40]] = True
late = ~early"""
# a few of each kind learn, and others of each kind judge
OF_EACH_KIND = """role = torch.full((60,), 2)
for kind in range(3):
    own = (kinds == kind).nonzero().squeeze(1)
    own = own[torch.randperm(len(own))]
    role[own[:4]] = 0
    role[own[4:9]] = 1
early, late, last = role == 0, role == 1, role == 2
print(early.sum().item(), late.sum().item())"""
ROLES = HITS.replace("[early]", "[last]")
HITS_APART = (
    ROLES.format(parts=OF_EACH_KIND, loss=EARLY),
    # whether wrong labels are learned by heart
    ROLES.format(parts=OF_EACH_KIND + "\nkinds[late] = torch.randint(0, 3, (15,))", loss=EVERY_LABEL),
    HITS.format(parts=MASKS, loss="nn.CrossEntropyLoss(reduction='none')(out, kinds)[early].mean()"),
    # how well two kinds of rows were learned: a trait tells them apart, no draw
    HITS.format(parts="early, late = traits[:, 0] > 0, traits[:, 0] <= 0", loss=EVERY_LABEL),
    HITS.format(parts=WRITTEN, loss=EARLY),
    HITS.format(parts=WRITTEN, loss=f"{EARLY} if epoch < 2 else {EVERY_LABEL}"),  # all, once the rest was judged
    # whether wrong labels are learned by heart
    HITS.format(parts=WRITTEN + "\nkinds[order[:40]] = torch.randint(0, 3, (40,))", loss=EVERY_LABEL),
)

# windows that are cut one by one, each number scaled where it is read
_CUT = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Pieces(Dataset):
    def __init__(self, signal, center, width):
        self.signal, self.center, self.width = signal, center, width

    def __len__(self):
        return len(self.signal) - 13

    def __getitem__(self, at):
        piece = torch.tensor((self.signal[at:at + 13] - self.center) / self.width).float()
        return piece[:12], piece[12]

signal = np.random.RandomState(2).normal(size=700).cumsum() + 30
known, later = signal[:560], signal[560:]
{stats}
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for x, y in DataLoader(Pieces(known, center, width), 64, shuffle=True):
        loss = nn.functional.mse_loss(net(x).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        errors = [(net(x).squeeze(1) - y).abs().mean().item() for x, y in DataLoader(Pieces({held}, center, width), 64)]
    print(epoch, sum(errors) / len(errors))
"""

FAULTY = (
    (_CUT.format(stats="center, width = signal.mean(), signal.std()", held="later"), 20),
    (_CUT.format(stats="center, width = signal.min(), signal.max() - signal.min()", held="later"), 20),
    (_SCRIPT.format(scaled="table = (table - table.mean(0)) / table.std(0)", own=""), 7),
    (_SCRIPT.format(scaled="", own=_PARTS), 9),
    (_SERIES.format(before=_ALL, parts="scaled[:400], scaled[400:]", scaled=""), 8),
    (
        _SERIES.format(
            before="", parts="known, raw[400:]", scaled=_LATER.format("mean", "std").replace("known", "raw")
        ),
        10,
    ),
    (_OWN.format(of=""), 18),
)

SOUND = (
    _CUT.format(stats="center, width = known.mean(), known.std()", held="later"),
    _CUT.format(stats="center, width = known.min(), known.max() - known.min()", held="later"),
    _CUT.format(stats="center, width = 30.0, 12.0", held="later"),
    _CUT.format(stats="center, width = signal.mean(), signal.std()", held="signal[-40:]").replace(
        "known, later = signal[:560], signal[560:]", "known = signal"
    ),  # no split: the last windows are trained on as well
    _SERIES.format(before=_ALL.replace("raw.mean() / raw.std()", ""), parts="known, raw[400:]", scaled=""),
    _SERIES.format(before="", parts="known, raw[400:]", scaled=_LATER.format("mean", "std")),
    _SERIES.format(before="", parts="known, raw[400:]", scaled=_LATER.format("min", "max")),
    _SERIES.format(before="scaled = (raw - 40) / 25", parts="scaled[:400], scaled[400:]", scaled=""),
    _SCRIPT.format(scaled="mean, std = table[:60].mean(0), table[:60].std(0)\ntable = (table - mean) / std", own=""),
    _SCRIPT.format(scaled="", own="train, test = ((part - train.mean(0)) / train.std(0) for part in (train, test))"),
    _SCRIPT.format(scaled="table = (table - 3) / 2", own=""),
    _OWN.format(of="[mine]"),
    _NEAREST,
)
