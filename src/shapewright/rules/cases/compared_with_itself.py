"""Cases of SW346."""

from . import filled
from .reference_not_subtracted import SPEAKER

PAIRS = """
import copy
import torch
from torch import nn
import torch.nn.functional as F
net = nn.Sequential(nn.Embedding(20, 8), nn.Flatten(), nn.Linear(32, 1))
frozen = copy.deepcopy(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    good, bad = torch.randint(0, 20, (6, 4)), torch.randint(0, 20, (6, 4))
    with torch.no_grad():
        before = frozen(good) - frozen(bad)
    gain = net(good) - net(bad)
    loss = -F.logsigmoid(gain - before).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SLOW = """
import copy
import torch
from torch import nn
critic = nn.Linear(5, 1)
slow = copy.deepcopy(critic)
opt = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(4):
    x, y, r = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 1)
    with torch.no_grad():
        goal = r + 0.9 * slow(y)
    loss = (critic(x) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for p, q in zip(critic.parameters(), slow.parameters()):
            q.lerp_(p, 0.05)
"""

_JOINED = """
import torch
from torch import nn
torch.manual_seed(0)

class Match(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head, self.drop = nn.Linear(6, 5), nn.Linear(10, 1), nn.Dropout(0.2)

    def once(self, x):
        return self.body(x).relu()

    def forward(self, left, right):
        a = self.once(left)
        b = {second}
        return self.head(torch.cat((a, b), 1))

net = Match()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    left, right = torch.randn(8, 6), torch.randn(8, 6)
    same = (left[:, :1] * right[:, :1] > 0).float()
    loss = nn.functional.binary_cross_entropy_with_logits(net(left, right), same)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TRIPLES = """
import torch
from torch import nn
torch.manual_seed(0)
kind = torch.arange(60) % 5
rows = torch.randn(5, 6)[kind] + 0.1 * torch.randn(60, 6)
first, last = nn.Linear(6, 12), nn.Linear(12, 4)
opt = torch.optim.SGD([*first.parameters(), *last.parameters()], lr=0.1)

def coded(x):
    return last(first(x).relu())

for turn in range(40):
    at = torch.randint(60, (16,))
    anchor, near, far = rows[at], rows[(at + 5) % 60], rows[(at + 1) % 60]
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_MARGIN = "nn.functional.triplet_margin_loss(coded(anchor), coded({near}), coded(far))"
_APART = "nn.functional.pairwise_distance(coded(anchor), coded({near})).mean() + coded(far).square().mean()"
_STRIDES = "torch.cat([coded(anchor)[:, 0::2], coded(anchor)[:, 1::2]], 1).square().mean()"
_CHOSEN = "nn.functional.cosine_similarity(coded(anchor)[np.array([0, 1])], coded(anchor)[np.array([2, 3])]).mean()"

_RATIO = """
import torch
from torch import nn
torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 3))
opt = torch.optim.SGD(policy.parameters(), lr=0.1)

def scores(x, taken):
    return torch.distributions.Categorical(logits=policy(x)).log_prob(taken)

for step in range(4):
    x, taken, gain = torch.randn(8, 5), torch.randint(0, 3, (8,)), torch.randn(8)
    with torch.no_grad():
        before = scores(x, taken)
    for _ in range({times}):
        new = scores(x, taken)
        old = {old}
        ratio = {ratio}
        loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_PARTS = _RATIO.replace(
    "for _ in range({times}):", "for part in torch.cat([torch.randperm(8) for _ in range({times})]).split(4):"
)
_PARTS = _PARTS.replace("scores(x, taken)\n        old", "scores(x[part], taken[part])\n        old").replace(
    "* gain", "* gain[part]"
)
_SPOKEN = filled(SPEAKER, margin="loss = -nn.functional.logsigmoid(0.2 * ((u - a) - (v - b))).mean()").replace(
    "self.words(text))", "nn.functional.dropout(self.words(text), 0.2, self.training))"
)
_FROZEN = "copy.deepcopy(speaker).requires_grad_(False)"

_CODES = """
import torch
from torch import nn
mean, spread, back = nn.Linear(8, 3), nn.Linear(8, 3), nn.Linear(3, 8)
opt = torch.optim.SGD([*mean.parameters(), *spread.parameters(), *back.parameters()], lr=0.1)
for _ in range(3):
    x = torch.randn(6, 8)
    m, v = mean(x), spread(x)
    made = back(m + torch.randn_like(m) * (0.5 * v).exp())
    kl = ([kl]).sum()
    loss = (made - x).pow(2).sum() - 0.5 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
# a correction in a softmax: for the entries, or the same for all of them
_MATCHED = """
import torch
from torch import nn
import torch.nn.functional as F
rows, columns = nn.Embedding(40, 8), nn.Embedding(30, 8)
drawn = torch.randint(0, 30, (120,))
share = torch.bincount(drawn, minlength=30).float() / 120
opt = torch.optim.Adam([*rows.parameters(), *columns.parameters()])
for start in range(0, 120, 24):
    a, b = torch.randint(0, 40, (24,)), drawn[start:start + 24]
    table = rows(a) @ columns(b).T
    rare = share[b].log()
    table = {table}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_CROSSED = "F.cross_entropy(table, torch.arange(24))"
_PICKED = "-F.log_softmax(table / 0.5, dim=1).diagonal().mean()"
_LOOKED = """
import torch
from torch import nn
class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.other, self.out = nn.Linear(8, 1), nn.Linear(8, 1), nn.Linear(8, 2)
    def forward(self, x):
        a, b = self.own(x), self.other(x)
        scores = {scores}
        return self.out((scores.softmax(-1) @ x).mean(1))
net = Pooled()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    x, y = torch.randn(6, 5, 8), torch.randint(0, 2, (6,))
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ANGLES = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
body, centers = nn.Linear(9, 6), nn.Parameter(torch.randn(5, 6))
opt = torch.optim.SGD([*body.parameters(), centers], lr=0.1)
for _ in range(3):
    x, y = torch.randn(16, 9), torch.randint(0, 5, (16,))
    near = F.normalize(body(x)) @ F.normalize(centers).T
    loss = F.cross_entropy(16 * {near}, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_DETACHED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 6))
opt = torch.optim.Adam(net.parameters())
for rows in torch.randn(40, 6).split(10):
    out = net(rows)
    hard = (out > 0).float()
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_JOINED.replace("{second}", "self.once(left)"), 16),
    (PAIRS.replace("copy.deepcopy(net)", "net"), 7),
    (PAIRS.replace("net(good) - net(bad)", "net(good) - net(good)"), 13),
    (SLOW.replace("copy.deepcopy(critic)", "critic"), 6),
    (_TRIPLES.format(loss=_MARGIN.format(near="anchor")), 16),
    (_TRIPLES.format(loss=_APART.format(near="anchor")), 16),
    (filled(_RATIO, times="4", old="scores(x, taken).detach()", ratio="(new - old).exp()"), 18),
    (filled(_RATIO, times="4", old="new.detach()", ratio="new.exp() / old.exp()"), 18),
    (filled(_PARTS, times="3", old="new.detach()", ratio="(new - old).exp()"), 18),
    (_SPOKEN.replace(_FROZEN, "speaker"), 16),
    (_SPOKEN.replace("said(speaker, lose, real)", "said(speaker, win, real)"), 22),
    (_SPOKEN.replace(_FROZEN, "copy.copy(speaker)").replace("a, b = said(anchor", "a, b = said(speaker"), 23),
    (_CODES.replace("[kl]", "1 + v - m.pow(2) - v"), 10),
    (_CODES.replace("[kl]", "v - (m ** 2 + v - 1)"), 10),
    (filled(_MATCHED, table="table - rare.unsqueeze(1)", loss=_CROSSED), 13),
    (filled(_MATCHED, table="(table + rare[:, None]) / 0.1", loss=_PICKED), 13),
    (filled(_LOOKED, scores="a + b.transpose(1, 2)"), 10),
    (filled(_ANGLES, near="(near - 0.35)"), 11),
    (filled(_DETACHED, loss="nn.functional.mse_loss(out, out.detach())"), 10),
    (filled(_DETACHED, loss="nn.SmoothL1Loss()(out.clone(), out)"), 10),
    (PAIRS.replace("copy.deepcopy(net)", "copy.copy(net)"), 7),
    (filled(_MATCHED, table="table - rare.unsqueeze(0)", loss=f"({_CROSSED} + {_CROSSED}) / 2"), 14),
)

SOUND = (
    # the density of what was drawn by hand: the library subtracts the mean that the draw added
    """
import torch
from torch import nn
from torch.distributions import Normal
body, head = nn.Linear(4, 8), nn.Linear(8, 4)
critic = nn.Linear(6, 1).requires_grad_(False)
opt = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=1e-3)
for step in range(4):
    state = torch.randn(16, 4)
    mean, spread = head(torch.relu(body(state))).chunk(2, 1)
    spread = spread.clamp(-5, 2).exp()
    noise = Normal(0, 1).sample(mean.shape)
    action = torch.tanh(mean + spread * noise)
    chance = Normal(mean, spread).log_prob(mean + spread * noise) - torch.log(1 - action.pow(2) + 1e-6)
    loss = (0.2 * chance.sum(1, keepdim=True) - critic(torch.cat([state, action], 1))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    filled(_DETACHED, loss="nn.functional.mse_loss(hard.detach(), out)").replace(
        "(out > 0).float()", "out.clone()\n    hard[torch.arange(len(rows)), 0] = rows.sum(1)"
    ),
    filled(_RATIO, times="4", old="before", ratio="(new - old).exp()"),
    filled(_RATIO, times="1", old="new.detach()", ratio="(new - old).exp()"),
    filled(_PARTS, times="1", old="new.detach()", ratio="(new - old).exp()"),
    filled(_PARTS, times="3", old="before[part]", ratio="(new - old).exp()"),
    _TRIPLES.format(loss=_STRIDES),
    _TRIPLES.format(loss=_CHOSEN).replace("import torch\n", "import numpy as np\nimport torch\n", 1),
    _TRIPLES.format(loss=_MARGIN.format(near="near")),
    _TRIPLES.format(loss=_APART.format(near="near")),
    _TRIPLES.format(loss=_MARGIN.format(near="anchor + 0.1 * torch.randn_like(anchor)")),
    _JOINED.replace("{second}", "self.once(right)"),
    _JOINED.replace("{second}", "self.once(left.flip(0))"),
    _JOINED.replace("{second}", "self.drop(self.once(left))").replace(
        "self.once(left)\n", "self.drop(self.once(left))\n"
    ),
    PAIRS,
    SLOW,
    _SPOKEN.replace(_FROZEN, f"{_FROZEN}.eval()"),
    # the ratio of the first epoch is one, and a value stands beside its own copy without a graph
    """
import torch
from torch import nn
net = nn.Linear(5, 3)
agent = net
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x, gain = torch.randn(8, 5), torch.randn(8)
    with torch.no_grad():
        old = torch.distributions.Categorical(logits=agent(x)).log_prob(torch.zeros(8))
    new = torch.distributions.Categorical(logits=net(x)).log_prob(torch.zeros(8))
    loss = -((new - old).exp() * gain).mean() - ((new - new.detach()).exp() * gain).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _CODES.replace("[kl]", "1 + v - m.pow(2) - v.exp()"),
    _CODES.replace("[kl]", "1 + v - m.pow(2) - v.exp() + (m.round() - m).detach() + m - m.detach()"),
    filled(_MATCHED, table="table - rare.unsqueeze(0)", loss=_CROSSED),
    filled(_MATCHED, table="table - rare.unsqueeze(0)", loss=f"0.7 * {_CROSSED} + 0.2 * {_CROSSED}"),
    filled(_MATCHED, table="table - table.max(dim=1, keepdim=True).values", loss=_CROSSED),
    filled(
        _MATCHED, table="table - rare.unsqueeze(1)", loss=f"{_CROSSED} + F.cross_entropy(table.T, torch.arange(24))"
    ),
    filled(_MATCHED, table="table - rare.unsqueeze(1)", loss="table.sigmoid().diagonal().log().neg().mean()"),
    filled(_LOOKED, scores="torch.nn.functional.leaky_relu(a + b.transpose(1, 2))"),
    filled(_LOOKED, scores="x @ x.transpose(1, 2) + a.sum(1, keepdim=True) * b.transpose(1, 2)"),
    filled(_ANGLES, near="(near - 0.35 * F.one_hot(y, 5))"),
    filled(_ANGLES, near="((near + 1) / 2)"),
    filled(_ANGLES, near="(2 * near - 1.0)"),
    filled(_DETACHED, loss="nn.functional.mse_loss(out, rows)"),
    filled(_DETACHED, loss="nn.functional.mse_loss(out, (out + rows).detach())"),
    filled(
        _DETACHED,
        loss="nn.functional.mse_loss(out + (hard - out).detach(), rows) + 0.1 * nn.functional.mse_loss(out, hard)",
    ),
)
