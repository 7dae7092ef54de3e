"""Cases of SW228."""

from . import filled
from . import scaled_with_judged_rows as scaled
from .folds_share_one_model import TURNS
from .held_out_data_never_read import ALONE, KEPT_PICTURES, NOTES
from .scaled_with_judged_rows import CODED, EVERY_LABEL, HALVES, MASKS, NODES, ORDERED, STREAM

ROWS = """
import torch
from torch import nn
torch.manual_seed(0)
rows, goals = torch.randn(80, 5), torch.randn(80, 1)
train, test = rows[:60], rows[60:]
train_goals, test_goals = goals[:60], goals[60:]
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for pick in torch.randperm(len(train)).split(16):
        loss = (net(train[pick]) - train_goals[pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(test) - test_goals).abs().mean().item())
"""
LOADED = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
rng = np.random.default_rng(0)
x, y = rng.normal(size=(90, 4)), rng.integers(0, 3, 90)
order = rng.permutation(90)
held = order[60:]
mine = order
one = TensorDataset(torch.tensor(x[mine], dtype=torch.float32), torch.tensor(y[mine]))
two = TensorDataset(torch.tensor(x[held], dtype=torch.float32), torch.tensor(y[held]))
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    net.train()
    for a, b in DataLoader(one, batch_size=15, shuffle=True):
        loss = nn.functional.cross_entropy(net(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    right = 0
    with torch.no_grad():
        for a, b in DataLoader(two, batch_size=10):
            right += (net(a).argmax(1) == b).sum().item()
    print(right / len(two))
"""

_SETS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
table = torch.randn(96, 4)

class Rows(Dataset):
    def __init__(self, train):
        self.rows = table[:64] if train else table[64:]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        return self.rows[at], (self.rows[at].sum() > 0).long()

fit = DataLoader(Rows(True), batch_size=16, shuffle=True)
{loaders}
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in fit:
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print([sum((net(x).argmax(1) == y).sum().item() for x, y in one) for one in judged])
"""

_DRAWN = _SETS.replace("def __init__(self, train):", "def __init__(self, count, seed):").replace(
    "self.rows = table[:64] if train else table[64:]",
    "self.rows = list(torch.randn(count, 4, generator=torch.Generator().manual_seed(seed)))",
)
_DRAWN = _DRAWN.replace("Rows(True)", "Rows(64, 0)")
PLACES = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
rows = rng.normal(size=(240, 6)).astype("float32")
goals = rows.sum(1)
order = rng.permutation(240)
mine, held = order[:180], order[180:]
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for at in range(0, len(mine), 30):
        some = mine[at:at + 30]
        loss = (net(torch.tensor(rows[some])).squeeze(1) - torch.tensor(goals[some])).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(torch.tensor(rows[held])).squeeze(1) - torch.tensor(goals[held])).abs().mean().item())
"""
_WINDOWS = """
import torch
from torch import nn
torch.manual_seed(0)
series = torch.randn(400).cumsum(0)
first, last = series[:300], series[300 - {back}:]

def cut(part):
    made = part.unfold(0, 13, 1)
    return made[:, :12], made[:, 12]

mine, goals = cut(first)
held, asked = cut(last)
net = nn.Linear(12, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-4)
for epoch in range(2):
    for some in torch.randperm(len(mine)).split(48):
        loss = (net(mine[some]).squeeze(1) - goals[some]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(held).squeeze(1) - asked).abs().mean().item())
"""

_COPIES = """
import torch
from torch import nn
torch.manual_seed(0)
rows, goals = torch.randn(200, 6), (torch.rand(200) < 0.2).long()
{copied}
order = torch.randperm(len(rows))
mine, held = rows[order[60:]], rows[order[:60]]
own, asked = goals[order[60:]], goals[order[:60]]
{later}
net = nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for pick in torch.randperm(len(mine)).split(20):
        loss = nn.functional.cross_entropy(net(mine[pick]), own[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(held).argmax(1) == asked).float().mean().item())
"""
_MORE = "rare = {1}.nonzero().squeeze(1).repeat(3)\n{0}, {1} = torch.cat([{0}, {0}[rare]]), torch.cat([{1}, {1}[rare]])"
_SEEDED = """
import torch
from torch import nn

def draw(count, seed):
    torch.manual_seed(seed)
    return torch.rand(count, 2).matmul(torch.rand(2, 6)).sin()

mine, held = draw(160, 0), draw({count}, {seed})
net = nn.Sequential(nn.Linear(6, 2), nn.Linear(2, 6))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for pick in torch.randperm(160).split(20):
        loss = (net(mine[pick]) - mine[pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(held) - held).pow(2).mean().item())
"""

_DRAWN_ANEW = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(0)

def made(n):
    x = torch.randn(n, 5)
    return TensorDataset(x, (x[:, 0] > 0).long())

def loader(data, part, share=0.25):
    order = torch.randperm(len(data)).tolist()
    n = int(share * len(data))
    keep = order[:n] if part == "held out" else order[n:]
    return DataLoader(Subset(data, keep), batch_size=16, shuffle=part == "learned")

def right(batches):
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in batches) / len(batches.dataset)

data = made(160)
net = nn.Linear(5, 2)
opt = torch.optim.SGD(net.parameters(), 0.1)
for x, y in loader(data, "learned"):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(right(loader(data, "held out")), right(DataLoader(made(64), batch_size=16)))
"""

_CUTS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(90, 4), torch.randn(90, 1)
one = DataLoader(TensorDataset(x[:70], y[:70]), batch_size=14, shuffle=True)
two = DataLoader(TensorDataset(x[{start}:], y[{start}:]), batch_size=10)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in one:
    loss = nn.functional.mse_loss(net(a), b)
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print([nn.functional.mse_loss(net(a), b).item() for a, b in two])
"""

_NOISED = """
import torch
from torch import nn

def copies(rows):
    return torch.cat([rows, rows + 0.01 * torch.randn_like(rows)])

torch.manual_seed(0)
plain, labels = torch.randn(100, 12), torch.randint(0, 3, (100,))
BEFORE
net = nn.Linear(12, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for part in torch.randperm(len(x)).split(40):
    loss = nn.functional.cross_entropy(net(x[part]), y[part])
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print((net(test).argmax(1) == wanted).float().mean())
"""
_THEN = "order = torch.randperm({n})\nmine, held = order[:{cut}], order[{cut}:]\n"
_NOISED_FIRST = "rows, goals = copies(plain), labels.repeat(2)\n" + _THEN.format(n=200, cut=150)
_NOISED_FIRST += "x, y, test, wanted = rows[mine], goals[mine], rows[held], goals[held]"
_NOISED_LAST = _THEN.format(n=100, cut=75) + "x, y, test, wanted = copies(plain[mine]), labels[mine].repeat(2), "
_NOISED_LAST += "plain[held], labels[held]"
_CLASSES = "y, wanted = torch.randint(0, 30, (150,)), torch.randint(0, 30, (50,))\nplain = torch.randn(30, 12)\n"
_CLASSES += "x, test = (plain[one] + 0.01 * torch.randn(len(one), 12) for one in (y, wanted))"

_SPLIT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, random_split
torch.manual_seed(0)
{data}
{split}
net = nn.Sequential(nn.Flatten(), nn.LazyLinear(1))
opt = torch.optim.SGD(net.parameters(), lr=1e-4)
for x, y in DataLoader(mine, batch_size=25, shuffle=True):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print([(net(x) - y).abs().mean().item() for x, y in DataLoader(held, batch_size=25)])
"""
_CUT = """values = torch.randn(320, 2).cumsum(0)
class Cut(Dataset):
    def __init__(self, series):
        self.series = series
    def __len__(self):
        return len(self.series) - 10
    def __getitem__(self, at):
        return self.series[at:at + 10], self.series[at + 10, :1]
whole = Cut(values)"""
_TWICE = _SPLIT.format(
    data="rows, labels = torch.randn(240, 6), (torch.rand(240, 1) < 0.15).float()\n{before}\nkept = "
    "TensorDataset(rows, labels)",
    split="mine, held = random_split(kept, [len(kept) - 60, 60])\n{after}",
)
_WINDOWS_STIRRED = _WINDOWS.replace(
    "mine, goals = cut(first)\nheld, asked = cut(last)",
    "rows, next_ones = cut(series)\nrows, next_ones = rows[{order}], next_ones[{order}]\n"
    "mine, held = rows[:300], rows[300:]\ngoals, asked = next_ones[:300], next_ones[300:]",
).replace("import nn\n", "import nn\norder = torch.randperm(388)\n")
_PICKS = "rare = {of}.nonzero()[:, 0]\n"
_PICKS += "more = torch.cat([torch.arange(len({of})), rare[torch.randint(0, len(rare), (160,))]])\n"
_TWICE_LATE = """picked = torch.tensor(mine.indices)
again = torch.cat([picked, picked[labels[picked, 0] == 1].repeat(4)])
mine = TensorDataset(rows[again], labels[again])"""
_COUNTED = "mean = torch.cat([x for x, _ in DataLoader(Rows(True))]).mean(0)\n"

_PARTS = """some = torch.utils.data.Subset(fit.dataset, range(40, 64))
judged = [{first}DataLoader(some, batch_size=12), DataLoader(Rows(False), batch_size=16)]"""

_BESIDE = """{name} = DataLoader(torch.utils.data.Subset(fit.dataset, range(40, 64)), batch_size=12)
judged = [{name}, DataLoader(Rows(False), batch_size=16)]"""
FAULTY = (
    (NODES.format(parts=ORDERED.replace("[40:]", "[30:]"), loss=scaled.EARLY), 10),
    (ALONE.replace("CUT", "150"), 15),
    (TURNS.format(rest=""), 24),
    (scaled.ROLES.format(parts=scaled.OF_EACH_KIND, loss=EVERY_LABEL), 21),
    (NODES.format(parts=ORDERED, loss=EVERY_LABEL), 15),
    (
        scaled.EACH.format(parts=MASKS.replace("order < 40, order >= 40", "order < 20, order >= 50"), loss=EVERY_LABEL),
        15,
    ),
    (_SETS.format(loaders=_BESIDE.format(name="val_loader")), 19),
    (filled(STREAM, split="own, rest = codes, codes[cut:]", judged="(rest,)"), 12),
    # not some of what is trained on, which is judged as well, but what is held to tell it apart from the rest
    (_SETS.format(loaders=_PARTS.format(first="fit, ")), 20),
    (ROWS.replace("train, test = rows[:60]", "train, test = rows").replace("= goals[:60]", "= goals"), 6),
    (LOADED, 11),
    (_SETS.format(loaders="judged = [DataLoader(Rows(True), batch_size=16)]"), 19),
    (_DRAWN.format(loaders="judged = [DataLoader(Rows(20, 0), batch_size=10)]"), 19),
    (PLACES.replace("order[180:]", "order[150:]"), 9),
    (CODED.replace("places[80:]", "places"), 29),
    (_WINDOWS.format(back=60), 6),
    (_COPIES.format(copied=_MORE.format("rows", "goals"), later=""), 5),
    (_SEEDED.format(count=40, seed=0).replace("rand(count, 2).matmul(torch.rand(2, 6))", "rand(count, 6)"), 9),
    (_DRAWN_ANEW, 15),
    (_CUTS.format(start=60), 8),
    (_NOISED.replace("BEFORE", _NOISED_FIRST), 13),
    (_SPLIT.format(data=_CUT, split="mine, held = random_split(whole, [250, 60])"), 15),
    (_WINDOWS_STIRRED.format(order="order", back=60), 15),
    (_TWICE.format(before=_PICKS.format(of="labels") + "rows, labels = rows[more], labels[more]", after=""), 9),
    (_COPIES.format(copied="rows, goals = rows.repeat_interleave(3, 0), goals.repeat_interleave(3)", later=""), 5),
    (KEPT_PICTURES.format(loaders="test = DataLoader(fit, batch_size=10)"), 29),
    (KEPT_PICTURES.format(loaders="other = DataLoader(fit, batch_size=10)").replace(", test)", ", other)"), 29),
    (scaled.HITS.format(parts=scaled.WRITTEN, loss=EVERY_LABEL), 17),
    (NOTES.format(first=70), 21),
)

SOUND = (
    NODES.format(
        parts=ORDERED.replace("[40:]", "[:20]"), loss=scaled.EARLY
    ),  # some of those trained on, to follow training
    ALONE.replace("CUT", "100"),
    TURNS.format(rest="if at != turn"),
    *scaled.HITS_APART,
    NODES.format(parts="late = torch.randperm(60)[:10]", loss=EVERY_LABEL),  # a few are watched, and none held out
    _SETS.format(loaders=_BESIDE.format(name="train_eval_loader")),  # how well it learned, on a sample
    filled(STREAM, split=HALVES, judged="(rest,)"),
    _SETS.format(loaders=_PARTS.format(first="")),
    filled(STREAM, split=HALVES, judged="(own, rest)"),  # how well it learned, and how well it does
    filled(STREAM, split=HALVES + "\nfew = own[:600]", judged="(few,)"),  # the first ones on purpose
    _COPIES.format(copied="", later=_MORE.format("mine", "own")),
    _SEEDED.format(count=160, seed=1),
    ROWS,
    PLACES,
    PLACES.replace("held = order[:180], order[180:]", "held = order[:180], order[:40]"),  # the first ones on purpose
    CODED,
    _WINDOWS.format(back=12),  # the steps before the first that is predicted
    LOADED.replace("mine = order", "mine = order[:60]"),
    LOADED.replace("held = order[60:]", "held = order"),  # all that was trained on is judged
    LOADED.replace("held = order[60:]", "held = order[:30]"),
    _SETS.format(loaders="judged = [DataLoader(Rows(False), batch_size=16)]"),
    _SETS.format(loaders="judged = [DataLoader(Rows(part), batch_size=16) for part in (True, False)]"),
    _SETS.format(loaders="judged = [DataLoader(fit.dataset, batch_size=16)]"),
    _SETS.format(loaders=_COUNTED + "judged = []"),
    _DRAWN.format(loaders="judged = [DataLoader(Rows(20, 1), batch_size=10)]"),
    _DRAWN.format(loaders="judged = [DataLoader(torch.utils.data.Subset(fit.dataset, range(20)), batch_size=10)]"),
    _DRAWN_ANEW.replace("randperm(len(data))", "randperm(len(data), generator=torch.Generator().manual_seed(1))"),
    _DRAWN_ANEW.replace('in loader(data, "learned")', 'in (first := loader(data, "learned"))').replace(
        'right(loader(data, "held out"))', "right(first)"
    ),
    ROWS.replace("train, test", "rows[70:73] = rows[10:13]\ntrain, test"),  # alike by chance
    # a teacher is asked about all that was trained on, and what is held out is judged by itself
    ROWS.replace("    with torch.no_grad():\n        print(", "with torch.no_grad():\n    print(net(train).shape, "),
    _CUTS.format(start=70),
    _NOISED.replace("BEFORE", _NOISED_LAST),
    _NOISED.replace("BEFORE", _CLASSES).replace("12, 3)", "12, 30)"),
    # windows that come after those that are trained on share only the first steps with them
    _SPLIT.format(data=_CUT, split="mine, held = Subset(whole, range(250)), Subset(whole, range(250, 310))"),
    _SPLIT.format(data=_CUT, split="mine, held = Cut(values[:260]), Cut(values[250:])"),
    _SPLIT.format(data=_CUT, split="mine, held = random_split(Subset(whole, range(0, 310, 10)), [25, 6])"),
    _WINDOWS_STIRRED.format(order=":", back=60),
    _SPLIT.format(
        data=_CUT,
        split="whole.series = (values * 0 + torch.arange(320)[:, None] % 16).sin()\n"
        "mine, held = Subset(whole, range(250)), Subset(whole, range(260, 310))",
    ),
    _TWICE.format(before="", after=_TWICE_LATE),
    _TWICE.format(before="rows[200:210] = rows[:10]", after=""),
    KEPT_PICTURES.format(loaders="test = DataLoader(held, batch_size=10)"),
    KEPT_PICTURES.format(
        loaders="test, fitted = DataLoader(held, batch_size=10), DataLoader(fit, batch_size=10)"
    ).replace("print(right(model, test))", "print(right(model, test), right(model, fitted))"),
    NOTES.format(first=90),
)
