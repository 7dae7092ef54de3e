"""Cases of SW369, and tables of pairs whose columns are moved apart."""

from . import filled

_LAST = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
rng = np.random.default_rng(0)
orders = {{who: rng.permutation(50)[:9].tolist() for who in range(24)}}
pairs, last = [], {{}}
for who, bought in orders.items():
    last[who] = bought[-1]
    {filled}
pairs = {table}


class Fit(nn.Module):
    def __init__(self):
        super().__init__()
        self.who, self.what = nn.Embedding(24, 6), nn.Embedding(50, 6)

    def forward(self, who, what):
        return (self.who(who) * self.what(what)).sum(-1)


model = Fit()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(3):
    part = [pairs[at] for at in rng.permutation(len(pairs))[:48]]
    who, what = torch.tensor([one[0] for one in part]), torch.tensor([one[1] for one in part])
    gap = model(who, what) - model(who, torch.randint(0, 50, (48,)))
    loss = -nn.functional.logsigmoid(gap).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
hits = 0
with torch.no_grad():
    for who in range(24):
        order = model(torch.full((50,), who), torch.arange(50)).argsort(descending=True).tolist()
        top = order[:10]
        {judged}
print(hits / 24)
"""


def _last(filled: str, table: str = "pairs", judged: str = "hits += last[who] in top") -> str:
    return _LAST.format(filled=filled, table=table, judged=judged)


_ALL, _REST = "pairs += [(who, one) for one in bought]", "pairs += [(who, one) for one in bought[:-1]]"

# weights that a module makes of a matrix, and constants beside them: no samples and no targets
DECOMPOSED = """
import numpy as np
import torch
from torch import nn


class Mixed(nn.Module):
    def __init__(self, size):
        super().__init__()
        turned, _ = np.linalg.qr(np.random.randn(size, size))
        order, low, high = torch.linalg.lu(torch.from_numpy(turned.astype(np.float32)))
        order, low, high = order.numpy(), low.numpy(), high.numpy()
        high = np.triu(high, 1)
        above = np.triu(np.ones_like(high), 1)
        below = above.T
        self.register_buffer("order", torch.from_numpy(order))
        self.register_buffer("above", torch.from_numpy(above))
        self.register_buffer("below", torch.from_numpy(below))
        self.low, self.high = nn.Parameter(torch.from_numpy(low)), nn.Parameter(torch.from_numpy(high))

    def forward(self, x):
        one = torch.eye(len(self.low))
        return x @ (self.order @ (self.low * self.below + one) @ (self.high * self.above + one))


np.random.seed(0)
torch.manual_seed(0)
net = nn.Sequential(Mixed(12), Mixed(12), Mixed(12))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
data = torch.randn(96, 12)
for at in range(4):
    x = data[torch.randint(0, 96, (16,))]
    loss = 0.5 * net(x).pow(2).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_last(_ALL), 11),
    (_last(_ALL, "np.array(pairs).tolist()", "hits += last[who] in set(top) and last[who] in top"), 11),
)
SOUND = (
    _last(_REST),
    _last(_REST, "[*pairs, (0, last[0])]"),  # one that was held out slipped in: not all
    # the last of what is trained on is where the next search begins, and is looked for nowhere
    _last(_ALL, judged="hits += top[0] != last[who]"),
    # how often something that was trained on comes first, beside what is held out
    _last("pairs += [(who, one) for one in bought[:-1]]", judged="hits += last[who] in top or bought[0] in top"),
)

# users and items: rows of whole numbers that come back
_COUPLES = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
rng = np.random.default_rng(0)
couples = np.stack([rng.integers(0, 20, 90), rng.integers(0, 30, 90)], axis=1)
class Liked(nn.Module):
    def __init__(self):
        super().__init__()
        self.who, self.what = nn.Embedding(20, 4), nn.Embedding(30, 4)
    def forward(self, who, what):
        return (self.who(who) * self.what(what)).sum(-1)
net = Liked()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
def drawn():
    order = rng.permutation(len(couples))
    {taken}
    for k in range(0, 90, 30):
        yield torch.as_tensor(who[k:k + 30]), torch.as_tensor(what[k:k + 30]), torch.as_tensor(other[k:k + 30])
for epoch in range(2):
    for who, what, other in drawn():
        loss = nn.functional.softplus(net(who, other) - {near}).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_OTHER = "other = rng.integers(0, 30, 90)"
_LIKED = "net(who, what)"

# what belongs to a sample is read from a list of its own, or from the name of its file
BESIDE = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Named(Dataset):
    def __init__(self):
        self.names = [f"{{at % 5}}_{{at}}.wav" for at in range(40)]
        self.waves = [torch.randn(12) + int(name[0]) for name in self.names]
        self.kinds = torch.tensor([int(name[0]) for name in self.names])
    def __len__(self):
        return len(self.names)
    def __getitem__(self, at):
        {read}
net = nn.Linear(12, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for wave, kind in DataLoader(Named(), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(net(wave), kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_READ = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
torch.manual_seed(0)
viewers = np.repeat(np.arange(40), 6)
watched = rng.integers(0, 30, 240)
class Taste(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Embedding(40, 8), nn.Embedding(30, 8)
    def likes(self, who, what):
        return (self.one(who) * self.other(what)).sum(1)
taste = Taste()
opt = torch.optim.Adam(taste.parameters(), 1e-2)
def others(what):
    return rng.integers(0, 30, len(what))
for epoch in range(3):
    order = rng.permutation(240)
    for at in range(0, 240, 40):
        rows = order[at : at + 40]
        who, what = viewers[rows], {what}
        near = taste.likes(torch.from_numpy(who), torch.from_numpy(what))
        far = taste.likes(torch.from_numpy(who), torch.from_numpy(others(what)))
        loss = -nn.functional.logsigmoid(near - far).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

# one column by an index, the other run by run: of two lists, of a table
TORN = (
    _READ.format(what="watched[at : at + 40]"),
    _READ.format(what="both[at : at + 40, 1]")
    .replace("class Taste", "both = np.stack([viewers, watched], 1)\nclass Taste")
    .replace("viewers[rows]", "both[rows, 0]"),
)

COUPLED = (
    filled(_COUPLES, taken=f"who, what = couples[:, 0], couples[order, 1]; {_OTHER}", near=_LIKED),
    filled(
        _COUPLES, taken=f"mixed = couples.copy(); rng.shuffle(mixed[:, 0]); who, what = mixed.T; {_OTHER}", near=_LIKED
    ),
)

UNCOUPLED = (
    filled(_COUPLES, taken=f"who, what = couples[order].T; {_OTHER}", near=_LIKED),
    # what others chose, beside what each chose itself
    filled(_COUPLES, taken="who, what = couples.T; other = couples[order, 1]", near=_LIKED),
    *(_READ.format(what=one) for one in ("watched[rows]", "others(watched[at : at + 40])")),
    _READ.format(what="watched[at : at + 40]").replace("viewers[rows]", "viewers[at : at + 40]"),
    # runs of what was watched, beside viewers that are drawn, after what each watched itself
    _READ.format(what="watched[at : at + 40]")
    .replace("viewers[rows]", "viewers[at : at + 40]")
    .replace(
        "torch.from_numpy(who), torch.from_numpy(others(what))",
        "torch.from_numpy(rng.permutation(who)), torch.from_numpy(what)",
    ),
)
