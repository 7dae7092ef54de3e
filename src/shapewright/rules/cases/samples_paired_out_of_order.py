"""Cases of SW219."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Gauge(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 4))

    def forward(self, x):
        return self.net(x)

data = TensorDataset(torch.randn(48, 6), torch.randn(48, 4))
model = Gauge()
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    flat = {flat}
    loss = (flat - y.flatten()).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_NEIGHBOURS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
model = nn.Linear(6, 3)
opt = torch.optim.Adam(model.parameters())
for x, y in DataLoader(data, batch_size=12, shuffle=True):
    out = model(x)
    apart = nn.functional.pairwise_distance(out, out.roll(1, 0)).mean()
    smooth = (out[1:] - out[:-1]).pow(2).mean()
    order, weight = torch.randperm(len(x)), 0.7
    mixed = weight * nn.functional.cross_entropy(out, y) + (1 - weight) * nn.functional.cross_entropy(out, y[order])
    bags = out.view(6, 2, 3).mean(1) - nn.functional.one_hot(y, 3).float().view(6, 2, 3).mean(1)
    loss = mixed + 0.1 * smooth - 0.1 * apart + bags.abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_POLYNOMIAL = """
import torch
from torch import nn
torch.manual_seed(0)
true = torch.randn(3, 1)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)

def powers(x):
    return torch.cat([x, x**2, x**3], 1)

def batch():
    x = torch.randn(16, 1)
    return powers(x), powers({x}).mm(true){noise}

for step in range(4):
    x, y = batch()
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_POLICY = """
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
actor = nn.Linear(4, 3)
opt = torch.optim.Adam(actor.parameters(), lr=0.01)
for episode in range(3):
    logs, rewards = [], []
    for move in range(6):
        dist = Categorical(logits=actor(torch.randn(4)))
        action = dist.sample()
        {score}
        rewards.append(float(action.item() == 1))
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    loss = -(torch.stack(logs) * (returns - returns.mean())).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_BLENDED = """
import torch
from torch import nn
from torch.nn.functional import cross_entropy, one_hot
torch.manual_seed(0)
net = nn.Linear(6, 3)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(64, 6), torch.randint(0, 3, (64,))
for rows in torch.arange(64).split(16):
    a, b = x[rows], y[rows]
    other, share = torch.randperm(16), float(torch.rand(()))
    out = net(share * a + (1 - share) * a[other])
    loss = [loss]
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_ANEW = """
import torch
from torch import nn
from torch.utils.data import DataLoader
torch.manual_seed(0)
class Rows(torch.utils.data.Dataset):
    def __init__(self):
        self.x, self.y = torch.randn(16, 4), torch.rand(16)
    def __len__(self):
        return 16
    def __getitem__(self, i):
        return self.x[i].sum(), self.y[i]
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    for x, y in DataLoader(Rows(), batch_size=8):  # every epoch has other data
        loss = nn.functional.mse_loss(model(x[:, None]).squeeze(-1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

KEPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 12)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
wise = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 3))
small = nn.Linear(12, 3)
batches = DataLoader(TensorDataset(x, y{more}), batch_size=16, shuffle={on})
told = []
with torch.no_grad():
    for x_, *_ in batches:
        told.append(wise(x_))
opt = torch.optim.Adam(small.parameters(), lr=0.01)
for turn in range(2):
    for {names} in {pairs}:
        said = small(x_)
        {own}
        loss = nn.functional.cross_entropy(said, y_)
        loss = loss + nn.functional.kl_div(said.log_softmax(-1), soft.softmax(-1), reduction="batchmean")
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

ZIPPED = {"more": "", "names": "(x_, y_), soft", "pairs": "zip(batches, told)", "own": "pass"}

WEIGHED = """
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(4, 3)
opt = torch.optim.Adam(policy.parameters())
seen, moves, gains = torch.randn(64, 4), torch.randint(0, 3, (64,)), torch.randn(64).abs()
places = np.arange(64)
for turn in range(2):
    np.random.shuffle(places)
    for first in range(0, 64, 16):
        few = places[first:first + 16]
        told = torch.distributions.Categorical(logits=policy(seen[few])).log_prob(moves[few])
        gain = gains[{taken}]
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        loss = -(gain * told).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

BESIDES = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, code = torch.randn(90, 5), torch.randint(0, 4, (90, 1)).float()
far = x.sum(1).exp()
order = torch.randperm(90)
x, code = x[order], code[order]
{far}
far = (far - far[:72].mean()) / 2
net = nn.Bilinear(5, 1, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for one, other, y in DataLoader(TensorDataset(x[:72], code[:72], far[:72]), batch_size=12, shuffle=True):
    loss = (net(one, other).mean(1) - y).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

ZONES = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
torch.manual_seed(0)
rows, zone = rng.uniform(1, 9, (120, 2)), rng.integers(0, 5, 120)
worth = (rows.sum(1) + zone).astype("float32")
order = rng.permutation(120)
{moved}
rows = (rows - rows[order[:90]].mean(0)) / rows[order[:90]].std(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.place, self.body = nn.Embedding(5, 3), nn.Linear(5, 1)

    def forward(self, x, z):
        return self.body(torch.cat([x, self.place(z)], dim=1)).squeeze(1)

net = Net()
opt = torch.optim.Adam(net.parameters())
for start in range(0, 90, 30):
    pick = order[start:start + 30]
    x, z, y = torch.from_numpy(rows[pick]).float(), torch.from_numpy(zone[pick]), torch.from_numpy(worth[pick])
    loss = (net(x, z) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

VIEWS = """
import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize

torch.manual_seed(0)
signals = torch.randn(96, 10)
net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 6))
opt = torch.optim.Adam(net.parameters(), lr=0.01)

def view(x):
    return x * (0.5 + torch.rand(len(x), 1)) + 0.1 * torch.randn_like(x)

def contrast(codes, n):
    table = codes @ codes.T / 0.2
    {table}
    return cross_entropy(table, {labels})

for turn in range(2):
    for rows in torch.randperm(96).split(16):
        x = signals[rows]
        codes = normalize(net(torch.cat([view(x), view(x)])), dim=1)
        loss = contrast(codes, len(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

FILLED = "table.fill_diagonal_(-1e9)"
PICKED = (
    "same = torch.arange(n).repeat(2)[None] == torch.arange(n).repeat(2)[:, None]; "
    "same, table = same[~torch.eye(2 * n).bool()].view(2 * n, -1), table[~torch.eye(2 * n).bool()].view(2 * n, -1); "
    "table = torch.cat([{order}], 1)"
)
FIRST = "table[same].view(2 * n, -1), table[~same].view(2 * n, -1)"
LAST = "table[~same].view(2 * n, -1), table[same].view(2 * n, -1)"

TOWERS = """
import torch
from torch import nn

torch.manual_seed(0)
notes = torch.randn(120, 8).cumsum(0)
asks, tells = nn.Linear(8, 5), nn.Linear(8, 5)
opt = torch.optim.Adam([*asks.parameters(), *tells.parameters()])
for first in range(0, 96, 16):
    x = notes[first:first + 17]
    q, k = asks(x), tells(x)
    loss = nn.functional.cross_entropy({table}, {labels})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_COUPLES = """
import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize

torch.manual_seed(0)
cause = torch.randn(96, 4)
heard, seen = cause @ torch.randn(4, 9), cause @ torch.randn(4, 7)
ears, eyes = nn.Linear(9, 5), nn.Linear(7, 5)
opt = torch.optim.Adam([*ears.parameters(), *eyes.parameters()])
for turn in range(2):
    for rows in torch.randperm(96).split(16):
        other = rows.sort().values
        a, b = normalize(ears(heard[rows]), dim=1), normalize(eyes(seen[{rows}]), dim=1)
        table = {table}
        loss = cross_entropy(table, torch.arange(16)) + cross_entropy(table.T, torch.arange(16))
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

TWO_SENSES = filled(_COUPLES, rows="other", table="a @ b.T / 0.1")
ONE_ORDER = (
    filled(_COUPLES, rows="rows", table="a @ b.T / 0.1"),
    # in order again before they are compared
    filled(_COUPLES, rows="other", table="a @ b[rows.argsort().argsort()].T / 0.1"),
)
_SOFT = _BLENDED.replace(
    "    loss = [loss]",
    """    hot = one_hot(b, 3).float()
    loss = -((share * hot + (1 - share) * hot[ORDER]) * out.log_softmax(1)).sum(1).mean()""",
)


FAULTY = (
    (filled(_POLYNOMIAL, x="torch.randn(16, 1)", noise=""), 14),
    (_SCRIPT.replace("{flat}", "model(x).T.flatten()"), 21),
    (_POLICY.format(score="logs.append(dist.log_prob(dist.sample()))"), 13),
    (_BLENDED.replace("[loss]", "cross_entropy(out, b)"), 13),
    (filled(VIEWS, table=FILLED, labels="torch.arange(2 * n) ^ 1"), 17),
    (filled(VIEWS, table=filled(PICKED, order=LAST), labels="torch.zeros(2 * n).long()"), 17),
    (_SOFT.replace("ORDER", "torch.randperm(len(b))"), 14),
    (_BLENDED.replace("[loss]", "(1 - share) * cross_entropy(out, b) + share * cross_entropy(out, b[other])"), 13),
    (_SOFT.replace("ORDER", "other").replace("share * hot + (1 - share)", "(1 - share) * hot + share"), 14),
)


SOUND = (
    filled(_POLYNOMIAL, x="x", noise=""),
    filled(_POLYNOMIAL, x="x", noise=" + 0.1 * torch.randn(16, 1)"),
    _SCRIPT.replace("{flat}", "model(x).T.flatten().view(4, 12).T.flatten()"),
    _SCRIPT.replace("{flat}", "model(x).flatten()"),
    _NEIGHBOURS,
    _NEIGHBOURS.replace("out = model(x)", "out = model(x).view(2, 6, 3).flatten(0, 1)").replace(
        "roll(1, 0)", "flip(0)"
    ),
    _POLICY.format(score="logs.append(dist.log_prob(action))"),
    # another draw is scored beside the one that is taken, or only looked at
    _POLICY.format(score="logs.append(dist.log_prob(action) + 0.1 * dist.log_prob(dist.sample()))"),
    _POLICY.format(score="print(dist.sample().item()); logs.append(dist.log_prob(action))"),
    _BLENDED.replace("[loss]", "share * cross_entropy(out, b) + (1 - share) * cross_entropy(out, b[other])"),
    _BLENDED.replace(
        "[loss]", "cross_entropy(out, share * one_hot(b, 3) + (1 - share) * one_hot(b, 3)[other].float())"
    ),
    _ANEW,
    *ONE_ORDER,
    filled(VIEWS, table=FILLED, labels="(torch.arange(2 * n) + n) % (2 * n)"),
    filled(VIEWS, table=filled(PICKED, order=FIRST), labels="torch.zeros(2 * n).long()"),
    _SOFT.replace("ORDER", "other"),
    # rows are steps of one series: each finds the step after it
    filled(TOWERS, table="q[:-1] @ k[1:].T", labels="torch.arange(16)"),
    filled(TOWERS, table="q[:-1] @ k.T", labels="torch.arange(1, 17)"),
    filled(TOWERS, table="q @ k.T", labels="torch.arange(1, 18).clamp(max=16)"),
)
