"""Cases of SW277."""

from . import filled

_PICTURES = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
pictures, labels = torch.randint(0, 256, (96, 1, 8, 8), dtype=torch.uint8), torch.randint(0, 3, (96,))
train = TensorDataset({train}, labels[:64])
held_out = {test}
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    net.train()
    for x, y in DataLoader(train, batch_size=16, shuffle=True):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        print((net(held_out).argmax(1) == labels[64:]).float().mean().item())
"""

_TABLE = """
import torch
from torch import nn
torch.manual_seed(0)
table = torch.rand(80, 4) * torch.tensor([1.0, 20.0, 300.0, 5.0])
goals = table[:, :1] + torch.randn(80, 1)
x_train, x_test = table[:60], table[60:]
{scaled}
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    net.train()
    loss = (net({given}) - goals[:60]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    print((net(x_test) - goals[60:]).abs().mean().item())
"""
_MOMENTS = "mean, std = x_train.mean(0), x_train.std(0)\n"


_BATCHES = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
torch.manual_seed(0)
x = 3 * torch.randn(60, 4) + 1
y = (x[:, 0] > 1).long()
mean, std = x[:40].mean(0), x[:40].std(0)
{parts}
train, test = DataLoader(mine, 8), DataLoader(rest, 8)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in train:
        loss = nn.functional.cross_entropy(net({given}), b)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        right = sum((net({asked}).argmax(1) == b).sum().item() for a, b in test)
    print(right / 20)
"""
_CUT = "mine, rest = TensorDataset(x[:40], y[:40]), TensorDataset(x[40:], y[40:])"
_SPLIT = "mine, rest = random_split(TensorDataset(x, y), [40, 20])"


_WORDS = """
import numpy as np
import pandas as pd
import torch
from torch import nn
torch.manual_seed(0)
rng = np.random.default_rng(0)
table = pd.DataFrame({"town": rng.choice(["Bern", "Lima", "Oslo", "Pune", "Riga"], 80), "rent": rng.normal(size=80)})
train = table.iloc[:60].copy()
test = table.iloc[60:].query("town != 'Bern'").copy()
train["at"] = pd.Categorical(train.town, KNOWN).codes
test["at"] = pd.Categorical(test.town, WORDS).codes
net = nn.Embedding(5, 1)
opt = torch.optim.Adam(net.parameters())
def numbers(part):
    return torch.tensor(part["at"].to_numpy("int64")), torch.tensor(part["rent"].to_numpy("float32"))
town, rent = numbers(train)
for rows in torch.randperm(60).split(20):
    loss = nn.functional.mse_loss(net(town[rows]).squeeze(1), rent[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
town, rent = numbers(test)
with torch.no_grad():
    print(nn.functional.mse_loss(net(town).squeeze(1), rent))
""".replace("KNOWN", "sorted(set(train.town))")
_LEARNED = """
for epoch in range(3):
    for part in torch.randperm(len(x)).split(24):
        opt.zero_grad()
        nn.functional.cross_entropy(net(x[part]), y[part]).backward()
        opt.step()
    with torch.no_grad():
        print((net(held).argmax(1) == z).float().mean().item())
"""
_TEXTS = (
    """
import random
import torch
from torch import nn

PAD, UNK = "<pad>", "<unk>"
KINDS = {"warm": "sun beach heat sand summer".split(), "cold": "snow ice frost wind winter".split()}
OTHER = "the a we saw there again and some of it".split()


def notes(count, seed):
    r = random.Random(seed)
    made = []
    for _ in range(count):
        kind = r.choice(sorted(KINDS))
        made.append(([r.choice(OTHER + KINDS[kind]) for _ in range(r.randint(4, 9))], kind))
    return made


def numbers(listed):
    table = {}
    for word in listed:
        table.setdefault(word, len(table))
    return table


def tensor(rows, table):
    ids = [[table.get(word, table[UNK]) for word in words] for words, _ in rows]
    return torch.tensor([row + [0] * (9 - len(row)) for row in ids])


torch.manual_seed(0)
train, test = notes(120, 1), notes(60, 2)
words = numbers([PAD, UNK] + [word for text, _ in train for word in text])
kinds = {"warm": 0, "cold": 1}
x, y = tensor(train, words), torch.tensor([kinds[kind] for _, kind in train])
held = tensor(test, {held})
z = torch.tensor([kinds[kind] for _, kind in test])
net = nn.Sequential(nn.EmbeddingBag(64, 8), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.02)"""
    + _LEARNED
)
_NAMED = (
    """
import torch
from torch import nn

names = ["ash", "oak", "elm", "fir", "yew"] * 24
late = ["oak", "elm", "fir", "yew"] * 10
torch.manual_seed(0)
centers = {name: 2 * torch.randn(4) for name in names[:5]}
x = torch.stack([centers[name] + torch.randn(4) for name in names])
held = torch.stack([centers[name] + torch.randn(4) for name in late])
codes = {name: at for at, name in enumerate(sorted(set(names)))}
late_codes = {codes}
y = torch.tensor([codes[name] for name in names])
z = torch.tensor([late_codes[name] for name in late])
net = nn.Linear(4, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)"""
    + _LEARNED
)
_ANEW = "numbers([PAD, UNK] + [word for text, _ in test for word in text])"
_LATE = "{name: at for at, name in enumerate(sorted(set(late)))}"

FAULTY = (
    (_PICTURES.format(train="pictures[:64] / 255", test="pictures[64:].float()"), 20),
    (_PICTURES.format(train="(pictures[:64] / 255 - 0.5) / 0.5", test="pictures[64:] / 255"), 20),
    (_TABLE.format(scaled=_MOMENTS + "x_train = (x_train - mean) / std", given="x_train"), 20),
    (_TABLE.format(scaled=_MOMENTS + "x_test = (x_test - mean) / std", given="x_train"), 20),
    (_BATCHES.format(given="(a - mean) / std", asked="a", parts=_CUT), 20),
    (_BATCHES.format(given="a", asked="(a - mean) / std", parts=_SPLIT), 15),
    (_WORDS.replace("WORDS", "sorted(set(test.town))"), 12),
    (filled(_TEXTS, held=_ANEW), 37),
    (filled(_NAMED, codes=_LATE), 14),
)
SOUND = (
    _PICTURES.format(train="pictures[:64] / 255", test="pictures[64:] / 255"),
    _PICTURES.format(train="pictures[:64] / 255", test="torch.rand(32, 1, 8, 8)"),
    _PICTURES.format(train="pictures[:64] / 255", test="pictures[64:] / 255 + 0.1 * torch.randn(32, 1, 8, 8)"),
    _PICTURES.format(train="torch.cat([pictures[:32] / 255, pictures[32:64].float()])", test="pictures[64:] / 255"),
    _TABLE.format(scaled=_MOMENTS + "x_train, x_test = ((x - mean) / std for x in (x_train, x_test))", given="x_train"),
    _TABLE.format(scaled="", given="x_train"),
    _TABLE.format(scaled=_MOMENTS + "whitened = (x_train - mean) / std", given="x_train"),
    _BATCHES.format(given="(a - mean) / std", asked="(a - mean) / std", parts=_CUT),
    _BATCHES.format(given="a * torch.rand(4)", asked="a", parts=_CUT),
    _BATCHES.format(given="a + 0.1 * torch.randn(4)", asked="a", parts=_SPLIT),
    _BATCHES.format(given="a * (torch.rand_like(a) > 0.2) / 0.8", asked="a", parts=_CUT),
    _BATCHES.format(
        given="a + 0.1 * (net.weight[0] - net.weight[1]).sign().detach()", asked="a", parts=_CUT
    ),  # towards the other class, each time
    # the rest was scaled before
    _BATCHES.format(given="(a - mean) / std", asked="a", parts=_CUT.replace("x[40:]", "(x[40:] - mean) / std")),
    # words beside what cannot be counted
    _WORDS.replace("WORDS", "sorted(set(train.town))").replace(
        "size=80)})", 'size=80), "tags": [{k} for k in range(80)]})'
    ),
    filled(_TEXTS, held="words"),
    # as many numbers of other words, and the same numbers counted anew
    filled(_TEXTS, held="numbers([PAD, UNK] + [word for text, _ in train for word in text])"),
    filled(_NAMED, codes="codes"),
    filled(_NAMED, codes="dict(codes)"),
)
