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

FAULTY = ((_SCRIPT.replace("{loader}", "train_loader").replace("{last}", ""), 18),)

SOUND = (
    _SCRIPT.replace("{loader}", "val_loader").replace("{last}", ""),
    _SCRIPT.replace("{loader}", "train_loader").replace(
        "{last}", ", sum(model(x).mean().item() for x, _ in val_loader)"
    ),
    _SCRIPT.replace("{loader}", "train_loader")
    .replace("{last}", "")
    .replace("val_loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), batch_size=8)", ""),
)
