"""Cases of SW331."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(24, 3), torch.randn(24, 1)), batch_size=8)
val_loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), batch_size=8)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in train_loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    total = 0.0
    with torch.no_grad():
        for x, y in {loader}:
            total += nn.functional.mse_loss(model(x), y).item()
    print(epoch, total{last})
"""

KEPT_PICTURES = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Pictures(Dataset):
    def __init__(self, count, seed):
        drawn = torch.Generator().manual_seed(seed)
        self.shown = torch.rand(count, 1, 8, 8, generator=drawn)
        self.kind = torch.randint(0, 3, (count,), generator=drawn)
    def __len__(self):
        return len(self.kind)
    def __getitem__(self, at):
        return self.shown[at], self.kind[at]

def right(model, loader):
    model.eval()
    found = 0
    with torch.no_grad():
        for x, y in loader:
            found += (model(x).argmax(1) == y).sum().item()
    return found / len(loader.dataset)

fit = Pictures(60, 0)
held = Pictures(20, 1)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(fit, batch_size=12, shuffle=True)
{loaders}
for _ in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
print(right(model, test))
"""

# a density of arrays that are given out alone, of one table that two cuts share
ALONE = """
import numpy
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Rows(Dataset):
    def __init__(self, part):
        table = numpy.random.default_rng(0).normal(size=(200, 6)).astype("float32")
        self.rows = {"fit": table[:CUT], "val": table[100:150], "last": table[150:]}[part]
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, at):
        return self.rows[at]
fit = DataLoader(Rows("fit"), batch_size=16, shuffle=True)
val = DataLoader(Rows("val"), batch_size=16)
last = DataLoader(Rows("last"), batch_size=16)
net = nn.Sequential(nn.Linear(6, 3), nn.Tanh(), nn.Linear(3, 6))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for x in fit:
        loss = (net(x) - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(sum((net(x) - x).pow(2).sum().item() for x in val) / len(val.dataset))
print(sum((net(x) - x).pow(2).sum().item() for x in last) / len(last.dataset))
"""

# samples are lists of numbers of words, which the constructor takes from listed pairs
NOTES = """
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
random.seed(0)
torch.manual_seed(0)
notes = [([random.randrange(1, 50) for _ in range(random.randint(4, 9))], random.randrange(3)) for _ in range(120)]
class Notes(Dataset):
    def __init__(self, notes):
        self.words = [words for words, _ in notes]
        self.kinds = [kind for _, kind in notes]
    def __len__(self):
        return len(self.words)
    def __getitem__(self, at):
        return self.words[at], self.kinds[at]
def collate(samples):
    words = nn.utils.rnn.pad_sequence([torch.tensor(words) for words, _ in samples], batch_first=True)
    return words, torch.tensor([kind for _, kind in samples])
fit = DataLoader(Notes(notes[:90]), batch_size=15, shuffle=True, collate_fn=collate)
held = DataLoader(Notes(notes[{first}:]), batch_size=15, collate_fn=collate)
table, net = nn.EmbeddingBag(50, 8, padding_idx=0, mode="sum"), nn.Linear(8, 3)
opt = torch.optim.SGD([*table.parameters(), *net.parameters()], lr=0.1)
for epoch in range(2):
    for x, y in fit:
        loss = nn.functional.cross_entropy(net(table(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(sum((net(table(x)).argmax(1) == y).sum().item() for x, y in held))
"""

# the held-out samples are counted, and nothing but the missing step tells that the second loop evaluates
_COUNTED = (
    _SCRIPT.replace("    with torch.no_grad():\n", "    if True:\n")
    .replace("y).item()", "y, reduction='sum').item()")
    .replace("{last}", " / len(val_loader.dataset), len(train_loader.dataset)")
)

FAULTY = (
    (_SCRIPT.replace("{loader}", "train_loader").replace("{last}", ""), 18),
    (_COUNTED.replace("{loader}", "train_loader"), 18),
)

SOUND = (
    _COUNTED.replace("{loader}", "val_loader"),
    _SCRIPT.replace("{loader}", "val_loader").replace("{last}", ""),
    _SCRIPT.replace("{loader}", "train_loader").replace(
        "{last}", ", sum(model(x).mean().item() for x, _ in val_loader)"
    ),
    _SCRIPT.replace("{loader}", "train_loader")
    .replace("{last}", "")
    .replace("val_loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), batch_size=8)", ""),
)
