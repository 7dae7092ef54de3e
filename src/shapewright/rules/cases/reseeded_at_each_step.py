"""Cases of SW361."""

from . import filled

_STEPS = """
import random
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout({dropout}), nn.Linear(16, 2))
x, y = torch.randn(64, 4), torch.randint(0, 2, (64,))
opt = torch.optim.Adam(net.parameters())
for epoch in range(4):
    {epoch}
    net.train()
    for rows in torch.randperm(64).split(16):
        {step}
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    {after}
    net.eval()
    with torch.no_grad():
        print((net(x + 0.1 * torch.randn(64, 4)).argmax(1) == y).float().mean())
"""
_BATCHES = """
import numpy as np
import torch
class Walk:
    def __init__(self, series):
        self.series = series
    def batch(self, size):
        np.random.seed({seed})
        starts = np.random.randint(0, len(self.series) - 9, size)
        rows = np.stack([self.series[s:s + 9] for s in starts]).astype(np.float32)
        self.turn = getattr(self, "turn", 0) + 1
        return torch.from_numpy(rows[:, :8]), torch.from_numpy(rows[:, 8:])
walk = Walk(np.cumsum(np.random.RandomState(1).randn(400)) / 20)
model = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(20):
    past, ahead = walk.batch(16)
    loss = (model(past) - ahead).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_OWN = """
import random
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 2)
x, y = torch.randn(64, 4), torch.randint(0, 2, (64,))
opt = torch.optim.Adam(net.parameters())
for step in range(5):
    rows = {rows}
    given = x[rows] + {noise}
    loss = nn.functional.cross_entropy(net(given), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_FOLDS = """
import torch
from torch import nn
x, y = torch.randn(60, 4), torch.randn(60, 1)
for fold in range(4):
    torch.manual_seed(7)
    net = nn.Linear(4, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = torch.arange(60) % 4 != fold
    for rows in torch.randperm(45).split(15):
        loss = (net(x[kept][rows]) - y[kept][rows]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_JUDGED = """
import torch
from torch import nn
torch.manual_seed(7)
x, y, held = torch.randn(48, 4), torch.randn(48, 1), torch.randn(8, 4)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
def judge():
    {seeded}
    with torch.no_grad():
        return net(held + torch.randn(8, 4)).mean()
for epoch in range(4):
    for rows in torch.{order}(48).split(16):
        loss = (net(x[rows]) - y[rows]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(judge())
"""
_READ = """
import numpy as np
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Waves(Dataset):
    def __init__(self):
        self.clean = np.sin(np.linspace(0, 9, 16) * np.random.default_rng(1).uniform(1, 3, (48, 1))).astype("float32")
        self.rng = np.random.default_rng(2)
    def __len__(self):
        return len(self.clean)
    def __getitem__(self, i):
        clean = self.clean[i]
        {made}
        return torch.as_tensor(given).float(), torch.from_numpy(clean)
net = nn.Linear(16, 16)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for given, clean in DataLoader(Waves(), batch_size=12, shuffle=True):
    loss = nn.functional.mse_loss(net(given), clean)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _steps(step="pass", epoch="pass", after="pass", dropout=0.2):
    return _STEPS.format(step=step, epoch=epoch, after=after, dropout=dropout)


_MEMBERS = """
import torch
from torch import nn
x, y = torch.randn(40, 3), torch.randn(40, 1)
def trained(seed):
    torch.manual_seed(seed)
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for rows in torch.randperm(40).split(20):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net
nets = [trained(SEED) for member in range(3)]
with torch.no_grad():
    answers = torch.stack([net(x) for net in nets])
    print(answers.mean(0), answers.std(0))
"""

FAULTY = (
    (_steps("torch.manual_seed(0)"), 14),
    (_steps(epoch="torch.manual_seed(3)"), 11),
    (_BATCHES.format(seed=0), 8),
    (filled(_OWN, rows="np.random.default_rng(0).integers(0, 64, 16)", noise="0.0"), 11),
    (filled(_OWN, rows="np.random.RandomState(0).randint(0, 64, 16)", noise="0.0"), 11),
    (filled(_OWN, rows="[random.Random(3).randrange(64) for _ in range(8)] * 2", noise="0.0"), 11),
    (
        filled(
            _OWN,
            rows="torch.randperm(64)[:16]",
            noise="torch.randn(16, 4, generator=torch.Generator().manual_seed(1))",
        ),
        12,
    ),
    (_READ.format(made="given = clean + 0.3 * np.random.default_rng(5).standard_normal(16)"), 16),
    (_READ.format(made="given = np.clip(clean + np.random.RandomState(5).normal(0, 0.3, 16), -1.2, 1.2)"), 16),
    (_READ.format(made="torch.manual_seed(5); given = torch.tensor(clean) + torch.randn(16)"), 16),
    (_READ.format(made="given = clean[::-1].copy() if random.Random(1).random() < 0.5 else clean"), 16),
    (_JUDGED.format(seeded="torch.manual_seed(3)", order="randperm"), 9),
    (_steps(after="torch.manual_seed(1)"), 19),
    (_MEMBERS.replace("SEED", "7"), 6),
)

SOUND = (
    filled(_OWN, rows="np.random.default_rng(step).integers(0, 64, 16)", noise="0.0"),
    # the same table on purpose: one direction for all samples
    filled(
        _OWN,
        rows="torch.randperm(64)[:16]",
        noise="torch.randn(1, 4, generator=torch.Generator().manual_seed(1))",
    ),
    filled(_OWN, rows="torch.randperm(64)[:16]", noise="0.0").replace(
        "opt.step()", "opt.step()\n    held = x[np.random.RandomState(0).permutation(64)[:8]]"
    ),
    _steps("torch.manual_seed(epoch * 100 + int(rows[0]))"),
    _steps("torch.manual_seed(0)", dropout=0),
    _steps("random.seed(0)"),
    _steps(epoch="torch.manual_seed(epoch)"),
    _BATCHES.format(seed='getattr(self, "turn", 0)'),
    _FOLDS,
    _READ.format(made="given = clean + 0.3 * self.rng.standard_normal(16)"),
    _READ.format(made="given = clean + 0.3 * np.random.default_rng(5 + i).standard_normal(16)"),
    _JUDGED.format(seeded="torch.manual_seed(3)", order="arange"),
    _JUDGED.format(seeded="torch.randn(3)", order="randperm"),
    _JUDGED.format(
        seeded="torch.random.fork_rng().__enter__(); torch.manual_seed(int(net.bias * 1000))", order="randperm"
    ),
    # one order of the numbers, one set of weights for all on purpose
    _READ.format(made="given = clean[np.random.default_rng(5).permutation(16)]"),
    _READ.format(made="given = np.random.default_rng(5).standard_normal((16, 16)) @ clean"),
    _MEMBERS.replace("SEED", "member"),
)
