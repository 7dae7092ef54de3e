"""Cases of SW344."""

from . import filled

SETUP = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 16)
        self.b = nn.Linear(16, 16)
        self.c = nn.Linear(16, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        x = torch.relu(self.a(x))
{body}
        return self.out(x)

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

LADDER = """
import torch
from torch import nn

class Ladder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rungs = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])

    def forward(self, x):
        for i, rung in enumerate(self.rungs):
            x = x + torch.relu({call}(x))
        return x

net = Ladder()
for rung in net.rungs:
    nn.init.xavier_uniform_(rung.weight)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(8, 6)
    loss = (net(x) - 2 * x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

LEVELS = """
import torch
from torch import nn

class Noise(nn.Module):
    def __init__(self):
        super().__init__()
        self.level, self.out = nn.Embedding(5, 6), nn.Linear(6, 6)

    def forward(self, x, t):
        return self.out(x + self.level(t))

net = Noise()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x, t = torch.randn(8, 6), torch.randint(0, 5, (8,))
    noise = torch.randn_like(x)
    loss = (net(x + 0.1 * t[:, None] * noise, {t}) - noise).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    for k in (4, 3):
        x = net(x, torch.full((8,), k))
"""


CELLS = """
import torch
from torch import nn

class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.low, self.high = nn.GRUCell(3, 6), nn.GRUCell(6, 6)
        self.read = nn.Linear(6, 1)

    def forward(self, steps):
        a = b = torch.zeros(steps.size(0), 6)
        out = []
        for step in steps.unbind(1):
            a = self.low(step, a)
            b = self.high(a, b)
            out.append(self.read({read}))
        return torch.stack(out, 1){also}

net = Stacked()
opt = torch.optim.{optimizer}(net.parameters(), lr=0.1)
x = torch.randn(8, 5, 3)
for epoch in range(3):
    def closure():
        opt.zero_grad()
        loss = ({first}.squeeze(-1) - x.cumsum(1)[..., 0]).pow(2).mean()
        loss.backward()
        return loss
    opt.step(closure)
"""


BESIDE = LADDER.replace(
    """        for i, rung in enumerate(self.rungs):
            x = x + torch.relu({call}(x))
        return x""",
    """        return sum(torch.relu({call}(x)) for i, rung in enumerate(self.rungs))""",
)

# a model of which only parts are called
TOWERS = """
import torch
from torch import nn

class Towers(nn.Module):
    def __init__(self, apart=False):
        super().__init__()
        self.apart = apart
        self.left = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
        self.right = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))

    def one(self, x):
        return self.left(x)

    def other(self, x):
        return {other}

def train():
    net = Towers()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(3):
        x = torch.randn(8, 6)
        scores = net.one(x) @ net.other(x + 0.1 * torch.randn(8, 6)).T
        loss = nn.functional.cross_entropy(scores, torch.arange(8))
        opt.zero_grad()
        loss.backward()
        opt.step()

train()
"""

CHOSEN = LADDER.replace("{call}(x)", "self.rungs[i % 2](self.rungs[i % 2](x))").replace(
    "    def forward", "    def climb"
)
CHOSEN = CHOSEN.replace("net(x)", "net.climb(x)")

ROW = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.skip, self.on = nn.Linear(6, 6), nn.Linear(6, 6)

    def forward(self, x):
        h = torch.tanh(x)
        return self.skip(h), x + self.on(h)

class Row(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks, self.out = nn.ModuleList([Block() for _ in range(3)]), nn.Linear(6, 1)

    def forward(self, x):
        total = 0
        for block in self.blocks:
            skip, x = block({given})
            total = total + skip
        return self.out(total)

net = Row()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    data = torch.randn(8, 6)
    loss = (net(data) - data.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# a layer of a library's that holds others: one is made as a pattern for copies
ENCODER = """
import torch
from torch import nn

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.encoder = nn.TransformerEncoder(self.layer, 1)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.encoder(x))

net = Encoder()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(4, 5, 8)
    loss = (net(x) - x.sum(-1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_JUDGE = """
import torch
from torch import nn
torch.manual_seed(0)
class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.label, self.score = nn.Embedding(3, 4), nn.Linear(10, 1)
    def forward(self, x, y):
        told = self.label(y)
        return self.score({joined})
maker, judge = nn.Linear(5, 6), Judge()
first, second = (torch.optim.SGD(net.parameters(), lr=0.1) for net in (maker, judge))
for step in range(4):
    x, y = torch.randn(8, 6), torch.randint(0, 3, (8,))
    made = maker(torch.randn(8, 5))
    second.zero_grad()
    (nn.functional.softplus(judge(made.detach(), y)) + nn.functional.softplus(-judge(x, y))).mean().backward()
    second.step()
    first.zero_grad()
    nn.functional.softplus(-judge(made, y)).mean().backward()
    first.step()
"""

_PROJECTED = """
import torch
from torch import nn
torch.manual_seed(0)
body, head = nn.Linear(6, 5), nn.Linear(5, 4)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for step in range(4):
    x = torch.randn(8, 6)
    one, other = body(x), body(x + 0.1)
    near, far = head(one), head(other)
    loss = nn.functional.cross_entropy({read}, torch.arange(8))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_RATED = """
import torch
from torch import nn
torch.manual_seed(0)

class Rated(nn.Module):
    def __init__(self):
        super().__init__()
        self.people, self.things = nn.Embedding(90, 8), nn.Embedding(40, 8)
        self.high, self.low = nn.Embedding(90, 1), nn.Embedding(40, 1)

    def forward(self, a, b):
        own, other = self.people(a), self.things(b)
        return (own * other).sum(1) + self.high(a)[:, 0] + {low}

net = Rated()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    a, b = torch.randint(0, 90, (64,)), torch.randint(0, 40, (64,))
    loss = (net(a, b) - 3).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

KEPT = """\
        shares = torch.zeros(2)
        for i in range(2):
            shares[i] = self.b(x).mean()
        self.shown = shares.softmax(0).data.numpy()
        x = torch.relu(self.c({x}))"""

# the way past a block is a list of layers in one block and empty in the other
_SHORTCUT = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, width, wide):
        super().__init__()
        self.one, self.two, self.short = nn.Linear(width, wide), nn.Linear(wide, wide), nn.Sequential()
        if width != wide:
            self.short = nn.Sequential(nn.Linear(width, wide))
    def forward(self, x):
        out = self.one(x).relu()
        {end}
        return out.relu()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks, self.out = nn.Sequential(Block(6, 8), Block(8, 8)), nn.Linear(8, 3)
    def forward(self, x):
        return self.out(self.blocks(x))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    loss = nn.functional.cross_entropy(net(torch.randn(12, 6)), torch.randint(0, 3, (12,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# two layers of the author's own, each of which calls its inner one on the same line
_HOPS = """
import torch
from torch import nn

class Hop(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 6)
    def forward(self, x, links):
        return links @ self.inner(x)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.near, self.far, self.out = Hop(), Hop(), nn.Linear(6, 3)
    def forward(self, x, links):
        one = self.near(x, links).relu()
        two = self.far(one, links).relu()
        return self.out({read})
net, links = Net(), torch.rand(20, 20).softmax(1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(20, 6), torch.randint(0, 3, (20,))
for _ in range(4):
    loss = nn.functional.cross_entropy(net(x, links), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (LADDER.format(call="self.rungs[0]"), 12),
    (SETUP.format(body=KEPT.replace("{x}", "x")), 17),
    (SETUP.format(body="        x = torch.relu(self.b(x))\n        x = torch.relu(self.b(x))"), 16),
    (SETUP.format(body="        x = torch.relu(self.c(x))"), 9),
    (LEVELS.replace("{t}", "torch.zeros_like(t)"), 18),
    (CELLS.format(read="a", optimizer="SGD", also="", first="net(x)"), 16),
    (CELLS.format(read="a", optimizer="LBFGS", also="", first="net(x)"), 16),
    (SETUP.format(body="        y = torch.relu(self.b(x)) + self.c(x)\n        x = torch.relu(self.c(x))"), 15),
    (BESIDE.format(call="self.rungs[0]"), 11),
    (TOWERS.format(other="self.left(x)"), 16),
    (ROW.format(given="data"), 12),
    (filled(_JUDGE, joined="nn.functional.pad(x, (0, 4))"), 10),
    (filled(_PROJECTED, read="one @ other.T"), 10),
    (filled(_RATED, low="self.high(b)[:, 0]"), 14),
    (_SHORTCUT.format(end="out = self.two(out)"), 10),
    (filled(_HOPS, read="one"), 10),
)
SOUND = (
    filled(_HOPS, read="two"),
    ENCODER,
    SETUP.format(body=KEPT.replace("{x}", "x * shares.sum()")),
    SETUP.format(body=KEPT.replace("{x}", "x * shares[1]")),
    ROW.format(given="x"),
    TOWERS.format(other="self.right(x)"),
    TOWERS.format(other="self.right(x) if self.apart else self.left(x)"),
    CHOSEN,
    BESIDE.format(call="rung"),
    LADDER.format(call="self.rungs[i]"),
    SETUP.format(body="        x = torch.relu(self.b(x))\n        x = torch.relu(self.c(x))"),
    SETUP.format(body="        x = torch.relu(self.b(x) if self.training or x.sum() > 99 else self.c(x))"),
    LEVELS.replace("{t}", "t"),
    CELLS.format(read="b", optimizer="SGD", also="", first="net(x)"),
    CELLS.format(read="b", optimizer="LBFGS", also="", first="net(x)"),
    CELLS.format(read="a", optimizer="SGD", also=", b", first="net(x)[0]"),  # returned for whoever asks
    CELLS.format(read="a + 0 * b", optimizer="SGD", also="", first="net(x)"),
    filled(_JUDGE, joined="torch.cat([x, told], 1)"),
    filled(_PROJECTED, read="near @ far.T"),
    filled(_RATED, low="self.low(b)[:, 0]"),
    filled(_RATED, low="self.low(b)[:, 0] + self.high(a // 3)[:, 0]"),  # another table's rows as well, none unused
    _SHORTCUT.format(end="out = self.two(out) + self.short(x)"),
)
