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

FAULTY = (
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
    _SERIES.format(before=_ALL.replace("raw.mean() / raw.std()", ""), parts="known, raw[400:]", scaled=""),
    _SERIES.format(before="", parts="known, raw[400:]", scaled=_LATER.format("mean", "std")),
    _SERIES.format(before="", parts="known, raw[400:]", scaled=_LATER.format("min", "max")),
    _SERIES.format(before="scaled = (raw - 40) / 25", parts="scaled[:400], scaled[400:]", scaled=""),
    _SCRIPT.format(scaled="mean, std = table[:60].mean(0), table[:60].std(0)\ntable = (table - mean) / std", own=""),
    _SCRIPT.format(scaled="", own="train, test = ((part - train.mean(0)) / train.std(0) for part in (train, test))"),
    _SCRIPT.format(scaled="table = (table - 3) / 2", own=""),
    _OWN.format(of="[mine]"),
)
