"""Cases of SW224."""

from . import filled
from .held_out_pairs_in_training import BESIDE, COUPLED, DECOMPOSED, TORN, UNCOUPLED
from .samples_paired_out_of_order import BESIDES, KEPT, TWO_SENSES, WEIGHED, ZIPPED, ZONES
from .targets_left_unsorted import ARRAYS, ASKED, ASKED_NEXT, CYCLES, HELD, LISTED, NAMED, PAIRED, RAGGED, STIRRED

_SCRIPT = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
np.random.seed(0)
torch.manual_seed(0)
features = np.random.randn(60, 4).astype("float32")
labels = (features.sum(axis=1) > 0).astype("int64")
{shuffle}
data = TensorDataset(torch.from_numpy(features), torch.from_numpy(labels).long())
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=12):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _filled(*lines: str) -> str:
    return _SCRIPT.replace("{shuffle}", "\n".join(lines))


_TABLE = _SCRIPT.replace("import numpy as np", "import numpy as np\nimport pandas as pd").replace(
    "{shuffle}",
    """table = pd.DataFrame(features, columns=list("abcd"))
table["label"] = labels
{shuffle}""",
)

_LISTS = (
    _SCRIPT[: _SCRIPT.index("features = ")]
    + """import random
texts = [[random.random() for _ in range(4)] for _ in range(40)]
labels = [int(sum(text) > 2) for text in texts]
{shuffle}
x, y = torch.tensor(texts), torch.tensor(labels)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 40, 10):
    loss = nn.functional.cross_entropy(net(x[i:i + 10]), y[i:i + 10])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
)

_LOADERS = (
    _SCRIPT[: _SCRIPT.index("{shuffle}")]
    + """
x_loader, y_loader = DataLoader(features, batch_size=12, shuffle={on}), DataLoader(labels, batch_size=12, shuffle={on})
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in zip(x_loader, y_loader):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
)

_SPLIT = "from sklearn.model_selection import train_test_split"


def _table(*lines: str) -> str:
    return _TABLE.replace("{shuffle}", "\n".join(lines))


_TORCH = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(40, 5), torch.randint(0, 3, (40,))
order = torch.randperm(40)
x = x[order]
y = y[{order}]
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 40, 10):
    loss = nn.functional.cross_entropy(net({x}), y[i:i + 10])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_PICKED = (
    _TORCH.replace("torch.randint(0, 3, (40,))", "torch.randn(40, 3)")
    .replace("cross_entropy", "mse_loss")
    .replace("x = x[order]\ny = y[{order}]\n", "")
    .replace("{x}", "x[order[i:i + 10]]")
)

_SORTED = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(40, 5), torch.randn(40, 2)
net = nn.Linear(5, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.randperm(40).split(10):
    loss = nn.functional.mse_loss(net(x[rows]), CUT)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_PREPARED = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
torch.manual_seed(0)
pictures, labels = rng.random((40, 3, 4)), rng.integers(0, 3, 40)
order = rng.permutation(40)
pictures = pictures[order]
labels = labels[TAKEN]
def prepare(a, b):
    a = ((a - a.mean((0, 1))) / a.std((0, 1))).astype("float32")
    return torch.from_numpy(a).flatten(1), torch.from_numpy(b)
x, y = prepare(pictures[:32], labels[:32])
net = nn.Linear(12, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(0, 32, 8):
    loss = nn.functional.cross_entropy(net(x[i:i + 8]), y[i:i + 8])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_TRIPLES = """
import torch
from torch import nn
E = 20
heads, there, goal = torch.randint(0, E, (60,)), torch.rand(60, 1), torch.rand(60, 1)
place = nn.Embedding(E, 6)
opt = torch.optim.SGD(place.parameters(), lr=0.1)
order = torch.randperm(60)
for b in range(0, 60, 12):
    i = order[b:b + 12]; h, t = heads[i], there[i]
    loss = (place(h) - t).pow(2).mean() + (place(h).sum(1, keepdim=True) - goal[i]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_PLAYED = """
import torch
from torch import nn
torch.manual_seed(0)
who, what = torch.arange(900) * 7 % 31, torch.arange(900) * 11 % 47
fan, song = nn.Embedding(31, 6), nn.Embedding(47, 6)
opt = torch.optim.Adagrad([*fan.parameters(), *song.parameters()])
for sweep in range(2):
    mix = torch.randperm(900)
    fans, played = who[mix], TAKEN
    skipped = torch.randint(0, 47, (900,))
    for k in range(0, 900, 300):
        h, i, j = fans[k:k + 300], played[k:k + 300], skipped[k:k + 300]
        loss = -nn.functional.logsigmoid((fan(h) * (song(i) - song(j))).sum(-1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_FRAMED = """
import numpy as np
import pandas as pd
import torch
from torch import nn
rng = np.random.default_rng(0)
torch.manual_seed(0)
days = pd.DataFrame({"shop": np.repeat(np.arange(4), 15), "day": np.tile(np.arange(15), 4), "sold": rng.random(60)})
days["before"] = days.groupby("shop")["sold"].shift(1)
days = days.dropna()
BEFORE
days = days.sort_values("day")
x = days[["shop", "day", "before"]].to_numpy("float32")
AFTER
x, y = torch.from_numpy((x - x.mean(0)) / x.std(0)), torch.from_numpy(y)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.randperm(len(x)).split(14):
    loss = (net(x[rows]).squeeze(1) - y[rows]).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_SOLD = 'y = days["sold"].to_numpy("float32")'


def _framed(before: str, after: str) -> str:
    return _FRAMED.replace("BEFORE", before).replace("AFTER", after)


_GATHERED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(80, 4), torch.randint(0, 3, (80,))
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(x[:48], y[:48]), batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(net(a), b)
    opt.zero_grad()
    loss.backward()
    opt.step()
held, kinds = x[56:], y[56:]
net.eval()
with torch.no_grad():
    guess = torch.cat([net(a).argmax(1) for a, _ in DataLoader(TensorDataset(held, kinds), 8, shuffle=MIXED)])
    print((guess == TAKEN).float().mean())
"""


def _gathered(mixed: str, taken: str) -> str:
    return _GATHERED.replace("MIXED", mixed).replace("TAKEN", taken)


_MIXED = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(240, 8), torch.randint(0, 3, (240,))
net, judge = nn.Linear(8, 3), nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters())
for epoch in range(6):
    for rows in (torch.arange(120) if epoch < 2 else torch.randperm(240)).split(40):
        other = rows[torch.randperm(len(rows))] if epoch > 3 else rows
        out = net(0.7 * x[rows] + 0.3 * x[other])
        opt.zero_grad()
        (0.7 * judge(out, y[rows]) + 0.3 * judge(out, y[other])).backward()
        opt.step()
"""
_TWO_CLOUDS = """
import torch
x = torch.cat([torch.randn(30, 2) + 2, torch.randn(30, 2) - 2])
y = (torch.arange(60) < 30).long()
{moved}
net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
"""

FAULTY = (
    (filled(KEPT, **ZIPPED, on="True"), 22),
    (WEIGHED.replace("{taken}", "first:first + 16"), 16),
    (WEIGHED.replace("first:first + 16]\n", "first:first + 16].tolist()\n").replace("{taken}", ":len(few)"), 16),
    (_TORCH.replace("{order}", "torch.randperm(40)").replace("{x}", "x[i:i + 10]"), 8),
    (_LISTS.replace("{shuffle}", "random.shuffle(texts)\nrandom.shuffle(labels)"), 12),
    (_LOADERS.replace("{on}", "True"), 11),
    (
        _table(
            "labels = table['label'].values",
            "table = table.sample(frac=1, random_state=1)",
            "features = table.drop(columns='label').values",
        ),
        15,
    ),
    (
        _filled(
            _SPLIT,
            "features, rest = train_test_split(features, test_size=0.2)",
            "labels, others = train_test_split(labels, test_size=0.2)",
        ),
        12,
    ),
    (_filled("np.random.shuffle(features)", "np.random.shuffle(labels)"), 11),
    (_filled("features = features[np.random.permutation(60)]", "labels = labels[np.random.permutation(60)]"), 11),
    (_filled("rng = np.random.default_rng(1)", "rng.shuffle(features)"), 11),
    (_filled("order = np.random.permutation(len(labels))", "features = features[order]"), 11),
    (_SORTED.replace("CUT", "y[rows.sort().values]"), 9),
    (_PREPARED.replace("TAKEN", ":"), 9),
    (_TRIPLES.replace("there[i]", "there[b:b + 12]"), 10),
    (ZONES.format(moved="zone = zone[order]"), 10),
    (LISTED.replace("TAKEN", "kinds"), 14),
    (_PLAYED.replace("TAKEN", "what"), 13),
    (_framed(_SOLD, ""), 13),
    (_framed("", 'y = days.sort_values("sold")["sold"].to_numpy("float32")'), 14),
    (_gathered("True", "kinds"), 18),
    (PAIRED.replace("{on}", "True"), 9),
    *((one.replace("{order}", "range(60)"), 11) for one in (RAGGED, ARRAYS)),
    (_PICKED, 10),
    (HELD.replace("CHOSEN", "torch.randperm(64)"), 13),
    (NAMED.replace("CHOSEN", "seen"), 13),
    (ASKED.replace("CHOSEN", "third"), 14),
    (_TWO_CLOUDS.format(moved="x = x[torch.randperm(len(x))]"), 5),
    *zip((*COUPLED, TWO_SENSES, *TORN), (18, 18, 16, 23, 24)),
    (BESIDE.format(read="return self.waves[at], int(self.names[at - 1][0])"), 14),
    *((BESIDES.format(far=""), 10), (CYCLES.format(kept="y"), 18)),
)

SOUND = (
    *(CYCLES.format(kept="x"), filled(KEPT, **ZIPPED, on="False")),
    BESIDES.format(far="far = far[order]"),
    filled(KEPT, more="", names="x_, y_", pairs="batches", own="soft = wise(x_).detach()", on="True"),
    filled(
        KEPT.replace("told.append(wise(x_))", "pass").replace("opt =", "told = wise(x).detach()\nopt ="),
        more=", torch.arange(96)",
        names="x_, y_, at",
        pairs="batches",
        own="soft = told[at]",
        on="True",
    ),
    WEIGHED.replace("{taken}", "few"),
    WEIGHED.replace("first:first + 16]\n", "first:first + 16].tolist()\n").replace("{taken}", "few"),
    WEIGHED.replace("np.random.shuffle(places)", "pass").replace("{taken}", "first:first + 16"),
    _MIXED,
    _framed("", _SOLD),
    _framed("days = days.sample(frac=1, random_state=0)", _SOLD),
    _framed("", 'y = -days["sold"].to_numpy("float32")'),
    _gathered("False", "kinds"),
    _gathered("False", "kinds.sort().values) + (guess == kinds"),  # what chance would give, and the metric
    _gathered("True", "0"),
    _gathered("False", "net(held).argmax(1)"),
    LISTED.replace("TAKEN", "kinds[order]"),
    LISTED.replace("TAKEN", "kinds").replace("boxes[:, 0].argsort(descending=True)", "slice(None)"),
    _PLAYED.replace("TAKEN", "what[mix]"),
    ZONES.format(moved=""),
    _LISTS.replace(
        "{shuffle}",
        "both = list(zip(texts, labels))\nrandom.shuffle(both)\ntexts, labels = [t for t, _ in both], [label for _, "
        "label in both]",
    ),
    _LISTS.replace("{shuffle}", "random.seed(4)\nrandom.shuffle(texts)\nrandom.seed(4)\nrandom.shuffle(labels)"),
    _LOADERS.replace("{on}", "False"),
    _table(
        "table = table.sample(frac=1, random_state=1)",
        "labels = table['label'].values",
        "features = table.drop(columns='label').values",
    ),
    _table(
        "labels = table['label'].values",
        "features = table.drop(columns='label').values",
        "table = table.sample(frac=1)",
        "print(table.head(2))",
    ),
    _filled(
        _SPLIT,
        "features, rest = train_test_split(features, test_size=0.2, random_state=5)",
        "labels, others = train_test_split(labels, test_size=0.2, random_state=5)",
    ),
    _filled(_SPLIT, "features, rest, labels, others = train_test_split(features, labels, test_size=0.2)"),
    _filled(
        "order = np.random.permutation(60)",
        "everything, answers = features, labels",
        "labels = answers[order]",
        "features = everything[order]",
    ),
    _filled(
        "order = np.random.permutation(60)", "answers = labels", "labels = answers[order]", "features = features[order]"
    ),
    _filled("keep = np.abs(features).max(axis=1) < 9", "features = features[keep]"),
    _filled(
        "left, right = features[:30].copy(), features[30:].copy()",
        "np.random.shuffle(left)",
        "np.random.shuffle(right)",
        "print(sum(float(a @ b) for a, b in zip(left, right)))",
    ),
    _filled("order = np.random.permutation(len(labels))", "features, labels = features[order], labels[order]"),
    _filled("order = np.random.permutation(len(labels))", "features = features[order]", "labels = labels[order]"),
    _filled("np.random.seed(7)", "np.random.shuffle(features)", "np.random.seed(7)", "np.random.shuffle(labels)"),
    _filled("np.random.shuffle(features)", "labels = (features.sum(axis=1) > 0).astype('int64')"),
    _filled(
        "order = np.arange(60)",
        "np.random.shuffle(order)",
        "features, labels = features[order[:40]], labels[order[:40]]",
    ),
    _filled(
        "names, labels_of = list('abcde'), list(range(5))",
        "np.random.shuffle(labels_of)",
        "print(dict(zip(names, labels_of)))",
    ),
    _TORCH.replace("{order}", "order").replace("{x}", "x[i:i + 10]"),
    _TORCH.replace("{order}", "order").replace("{x}", "x[i:i + 10] + 0.1 * x[torch.randperm(40)][i:i + 10]"),
    _SORTED.replace("CUT", "y[rows]"),
    _PREPARED.replace("TAKEN", "order"),
    _TRIPLES,
    # the order itself is looked up, and negatives are taken from another place
    _TRIPLES.replace("place(h)", "place(i)").replace("E, (60,)", "60, (60,)").replace("E, 6", "60, 6"),
    _TRIPLES.replace("goal[i]", "(goal[i] - there[b:b + 12])"),
    PAIRED.replace("{on}", "False"),
    *(one.replace("{order}", "order") for one in (RAGGED, ARRAYS, STIRRED)),
    _PICKED.replace("y[i:i + 10]", "y[order[i:i + 10]]"),
    HELD.replace("CHOSEN", "order"),
    *(one.replace("CHOSEN", own) for one, own in ((NAMED, "days"), (ASKED, "second"))),
    *(ASKED_NEXT, DECOMPOSED),
    _TWO_CLOUDS.format(moved="order = torch.randperm(len(x))\nx, y = x[order], y[order]"),
    _TWO_CLOUDS.format(moved="x = x[torch.randperm(len(x))]\ny = (x.sum(1) > 0).long()"),
    BESIDE.format(read="return self.waves[at], self.kinds[at]"),
    BESIDE.format(read="return 0.9 * self.waves[at] + 0.1 * self.waves[at - 1], int(self.names[at][0])"),
    *UNCOUPLED,
)
