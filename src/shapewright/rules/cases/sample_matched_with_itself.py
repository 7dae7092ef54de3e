"""Cases of SW354."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(6, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
n = 8
for step in range(3):
    x = torch.randn(n, 6)
    a, b = net(x + 0.1 * torch.randn(n, 6)), net(x + 0.1 * torch.randn(n, 6))
    z = F.normalize(torch.cat([a, b]), dim=1)
    partners = torch.cat([torch.arange(n) + n, torch.arange(n)])
    {table}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_APART = _SCRIPT.replace("net(x + 0.1 * torch.randn(n, 6))", "net(torch.randn(n, 6))")  # no two rows of one sample

_VIEWS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


def stirred(picture):
    return picture + 0.3 * torch.randn_like(picture)


class Doubled(Dataset):
    def __init__(self):
        self.pictures = torch.randn(64, 1, 6, 6)

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, at):
        one = stirred(self.pictures[at])
        other = {other}
        return one, other


net = nn.Sequential(nn.Flatten(), nn.Linear(36, 24), nn.ReLU(), {more}nn.Linear(24, 8))
opt = torch.optim.Adam(net.parameters())
for one, other in DataLoader(Doubled(), 16, shuffle=True):
    {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_TABLE = """a, b = (nn.functional.normalize(net(part)) for part in (one, other))
    loss = nn.functional.cross_entropy(a @ b.t() / 0.1, torch.arange(len(a)))"""
_TWICE = """body = net[:-1]
    a, b = (nn.functional.normalize({part}) for part in (one, {second}))
    z = torch.cat([a, b])
    table = (z @ z.t() / 0.1).fill_diagonal_(-torch.inf)
    loss = nn.functional.cross_entropy(table, torch.arange(len(z)).roll(len(one)))"""
_JOINED = """z = nn.functional.normalize(net(torch.cat([one, other])))
    table = (z @ z.t() / 0.1).fill_diagonal_(-torch.inf)
    loss = nn.functional.cross_entropy(table, torch.arange(len(z)).roll(len(one)))"""

_PAIRS = """
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

random.seed(0)
torch.manual_seed(0)


class Pairs(Dataset):
    def __init__(self):
        self.kinds = torch.arange(80) % 4
        self.rows = torch.randn(80, 6) + self.kinds[:, None]

    def __len__(self):
        return 80

    def of(self, kind):
        return random.choice((self.kinds == kind).nonzero().flatten().tolist())

    def __getitem__(self, at):
        kind = int(self.kinds[at])
        own = self.rows[at]
        if at % 3:
            partner = self.rows[{partner}]
            return own, partner, 1.0
        partner = self.rows[self.of((kind + 1) % 4)]
        return own, partner, 0.0


class Twins(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(6, 16), nn.Linear(16, 1)

    def forward(self, one, other):
        return self.head((self.body(one).relu() - self.body(other).relu()).abs()).squeeze(1)


net = Twins()
opt = torch.optim.Adam(net.parameters())
for one, other, alike in DataLoader(Pairs(), 20, shuffle=True):
    loss = nn.functional.binary_cross_entropy_with_logits(net(one, other), alike.float())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_FOLLOWED = """
import copy
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
body = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 5))
slow, head = copy.deepcopy(body), nn.Linear(5, 5)
for p in slow.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
def apart(one, other):
    return 2 - 2 * (F.normalize(one, dim=-1) * F.normalize(other, dim=-1)).sum(-1)
for x in torch.randn(4, 16, 6):
    first, second = x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)
    asked = [head(body(view)) for view in (first, second)]
    with torch.no_grad():
        aims = [slow(view) for view in {order}]
    loss = apart(asked[0], aims[0])
    loss = loss + apart(asked[1], aims[1])
    opt.zero_grad()
    loss.mean().backward()
    opt.step()
    for p, q in zip(slow.parameters(), body.parameters()):
        p.data = 0.99 * p.data + 0.01 * q.data
"""

_NEAREST = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x, kinds = torch.randn(80, 6), torch.randint(0, 4, (80,))
net = nn.Linear(6, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)


def hit_rate(known, marks, asked, own):
    with torch.no_grad():
        one, other = F.normalize(net(asked), dim=1), F.normalize(net(known), dim=1)
        {table}
        return (marks[{nearest}] == own).float().mean().item()


print(hit_rate(x[:60], kinds[:60], x[60:], kinds[60:]))
for _ in range(3):
    at = torch.randperm(60)[:20]
    z = net(x[at])
    apart = torch.cdist(z, z)
    like = kinds[at][:, None] == kinds[at]
    loss = (apart * like).mean() + ((2 - apart).clamp_min(0) * ~like).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(hit_rate({given}))
"""
_ALL, _APART_ROWS = "x[60:], kinds[60:], x[60:], kinds[60:]", "x[:60], kinds[:60], x[60:], kinds[60:]"

FAULTY = (
    (filled(_FOLLOWED, order="(first, second)"), 19),
    (filled(_NEAREST, table="table = one @ other.t()", nearest="table.argmax(1)", given=_ALL), 15),
    (filled(_NEAREST, table="table = torch.cdist(one, other)", nearest="table.argsort(1)[:, 0]", given=_ALL), 15),
    (filled(_VIEWS, other="one", more="", loss=_TABLE), 22),
    (filled(_VIEWS, other="one", more="", loss=_JOINED), 22),
    (filled(_PAIRS, partner="at"), 26),
    (filled(_SCRIPT, table="table = z @ z.t() / 0.2", loss="F.cross_entropy(table, partners)"), 15),
    (
        filled(
            _SCRIPT,
            table="table = 5 * torch.einsum('id,jd->ij', z, z)",
            loss="F.nll_loss(table.log_softmax(1), partners)",
        ),
        15,
    ),
    (
        filled(
            _SCRIPT,
            table="table = F.cosine_similarity(z[:, None], z[None], dim=2) / 0.2",
            loss="F.cross_entropy(table, partners)",
        ),
        15,
    ),
    (filled(_SCRIPT, table="table = z @ z.t() / 0.2", loss="F.cross_entropy(table, torch.arange(2 * n).roll(n))"), 15),
    (
        filled(_VIEWS, other="stirred(one)", more="", loss=filled(_TWICE, part="net[-1](body(part))", second="one")),
        30,
    ),
)

SOUND = (
    filled(_FOLLOWED, order="(second, first)"),
    filled(_FOLLOWED, order="(first, second)").replace("aims[1])", "aims[1]) + apart(asked[1], aims[0])"),
    filled(_NEAREST, table="table = one @ other.t()", nearest="table.argmax(1)", given=_APART_ROWS),
    filled(
        _NEAREST,
        table="table = torch.cdist(one, other) + 9 * torch.eye(len(one), len(other))",
        nearest="table.argmin(1)",
        given=_ALL,
    ),
    filled(_NEAREST, table="table = torch.cdist(one, other).fill_diagonal_(9)", nearest="table.argmin(1)", given=_ALL),
    filled(_NEAREST, table="table = torch.cdist(one, other)", nearest="table.argsort(1)[:, 1]", given=_ALL),
    filled(_VIEWS, other="stirred(self.pictures[at])", more="", loss=_TABLE),
    filled(_VIEWS, other="stirred(self.pictures[at])", more="", loss=_JOINED),
    filled(_VIEWS, other="one", more="nn.Dropout(0.2), ", loss=_TABLE),  # dropout makes the views
    filled(_VIEWS, other="one", more="nn.Dropout(0.2), ", loss=_JOINED),
    filled(_VIEWS, other="one", more="", loss=filled(_TWICE, part="nn.functional.dropout(net(part))", second="one")),
    filled(_VIEWS, other="one", more="", loss="loss = (net(one).mean(1) - other.mean((1, 2, 3))).pow(2).mean()"),
    filled(_PAIRS, partner="self.of(kind)"),
    filled(_SCRIPT, table="table = z @ z.t() / 0.2 - 1e9 * torch.eye(2 * n)", loss="F.cross_entropy(table, partners)"),
    filled(_SCRIPT, table="table = (z @ z.t() / 0.2).fill_diagonal_(-1e9)", loss="F.cross_entropy(table, partners)"),
    filled(
        _SCRIPT,
        table="table = z @ z.t() / 0.2\n    table[torch.arange(2 * n), torch.arange(2 * n)] = -1e9",
        loss="F.cross_entropy(table, partners)",
    ),
    filled(
        _SCRIPT,
        table="table = (z @ z.t() / 0.2).masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)",
        loss="F.cross_entropy(table, partners)",
    ),
    filled(_APART, table="table = z @ z.t() / 0.2", loss="F.cross_entropy(table, torch.arange(2 * n))"),
    filled(_SCRIPT, table="table = a @ b.t() / 0.2", loss="F.cross_entropy(table, torch.arange(n))"),
    filled(_APART, table="table = a @ b.t() / 0.2", loss="F.cross_entropy(table, torch.arange(n).roll(1))"),
)
