"""Cases of SW312."""

from . import filled

# sides without names of their own: the data that they are computed from have them
_PREFERENCES = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net, old = (nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)) for _ in range(2))
old.requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=1e-4)
rows = [{"{first}": torch.randint(0, 30, (9,)), "{second}": torch.randint(0, 30, (9,))} for _ in range(12)]
def said(m, text):
    return m(text[:, :-1]).log_softmax(-1).gather(2, text[:, 1:, None]).squeeze(2).sum(1)
def cost(a, b, ra, rb, beta=0.1):
    return -F.logsigmoid(beta * {gap}).mean()
for i in range(0, 12, 4):
    u = torch.stack([row["{first}"] for row in rows[i:i + 4]])
    v = torch.stack([row["{second}"] for row in rows[i:i + 4]])
    loss = cost(said(net, u), said(net, v), said(old, u), said(old, v))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_PAIRED = {"first": "chosen", "second": "rejected"}

# one side alone has a name that says which it is: the other one is its counterpart
_FEEDS = """
import torch
from torch import nn

torch.manual_seed(0)
readers, texts = nn.Embedding(20, 4), nn.Embedding(30, 4)
opt = torch.optim.Adam([*readers.parameters(), *texts.parameters()], lr=0.05)

def match(who, what):
    return (readers(who) * texts(what)).sum(-1)

for step in range(4):
    who, clicked, drawn = torch.randint(0, 20, (16,)), torch.randint(0, 15, (16,)), torch.randint(0, 30, (16,))
    gap = {gap}
    loss = nn.functional.softplus({sign}gap).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_DRAWN = """
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
rng = np.random.default_rng(0)
bought = rng.permuted(np.tile(np.arange(60), (40, 1)), axis=1)[:, :9]
users, items = nn.Embedding(40, 6), nn.Embedding(60, 6)
opt = torch.optim.Adam([*users.parameters(), *items.parameters()], lr=0.01)
for step in range(6):
    u = torch.randint(0, 40, (16,))
    i, j = torch.from_numpy(bought[u.numpy(), rng.integers(0, 9, 16)]), torch.randint(0, 60, (16,))
    a, b = ((users(u) * items(one)).sum(1) for one in (i, j))
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_HANDED = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
users, items = nn.Embedding(20, 6), nn.Embedding(30, 6)
opt = torch.optim.Adam([*users.parameters(), *items.parameters()], lr=0.01)

def score(who, what):
    return (users(who) * items(what)).sum(1)

def cost(better, worse):
    return {cost}

for step in range(4):
    who = torch.randint(0, 20, (16,))
    liked, negative = torch.randint(0, 10, (16,)), torch.randint(10, 30, (16,))
    loss = cost({given})
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_MARGIN = "F.margin_ranking_loss(better, worse, torch.ones_like(better), margin=1.0)"
_RIGHT, _WRONG = "score(who, liked), score(who, negative)", "score(who, negative), score(who, liked)"

_MOVED = """
import torch
from torch import nn
torch.manual_seed(0)
things, ways = nn.Embedding(50, 8), nn.Embedding(6, 8)
opt = torch.optim.SGD([*things.parameters(), *ways.parameters()], lr=0.01)
facts = torch.stack([torch.randint(0, 50, (64,)), torch.randint(0, 6, (64,)), torch.randint(0, 50, (64,))], 1)
facts = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(facts), 16)
def far(rows):
    return (things(rows[:, 0]) + ways(rows[:, 1]) - things(rows[:, 2])).norm(p=2, dim=1)
for (rows,) in facts:
    other = torch.stack([rows[:, 0], rows[:, 1], torch.randint(0, 50, (16,))], 1)
    a, b = far(rows), far(other)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# which samples are of one kind is told by a table of labels, and by no name
_KINDS = """
import torch
from torch import nn

torch.manual_seed(0)
x, who, where = torch.randn(120, 5), torch.arange(120) % 10, torch.arange(120) // 10 % 2
net = nn.Linear(5, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.01)


def drawn(count):
    rows = []
    for _ in range(count):
        one = int(torch.randint(120, ()))
        like = torch.nonzero(({like}))[:, 0]
        unlike = torch.nonzero(({unlike}))[:, 0]
        rows.append([one, int(like[torch.randint(len(like), ())]), int(unlike[torch.randint(len(unlike), ())])])
    return x[torch.tensor(rows)].unbind(1)


for _ in range(3):
    {given} = drawn(16)
    u, v, w = net(a), net(b), net(c)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_LIKE, _UNLIKE = "who == who[one]", "who != who[one]"
_TRIPLET, _BY_HAND = (
    "nn.functional.triplet_margin_loss(u, v, w)",
    "(0.2 + (u - v).pow(2).sum(1) - (u - w).pow(2).sum(1)).clamp(min=0).mean()",
)


def _kinds(given: str, loss: str, like: str = _LIKE, unlike: str = _UNLIKE) -> str:
    return _KINDS.format(given=given, loss=loss, like=like, unlike=unlike)


_LETTERED = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
people, things = nn.Embedding(20, 4), nn.Embedding(30, 4)
opt = torch.optim.Adam([*people.parameters(), *things.parameters()], lr=0.05)
def fits(who, what):
    return (people(who) * things(what)).sum(-1)
seen, others = torch.randint(0, 20, (48,)), torch.arange(48) % 30
for rows in torch.arange(48).split(12):
    u, p = seen[rows], rows % 15
    n = others[rows]
    loss = -F.logsigmoid({gap}).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_MOVED, loss="nn.functional.margin_ranking_loss(a, b, torch.tensor([1]), margin=1.0)"), 14),
    (filled(_MOVED, loss="torch.relu(1.0 + b - a).mean()"), 14),
    (_HANDED.format(cost=_MARGIN, given=_WRONG), 18),
    (_HANDED.format(cost="-F.logsigmoid(better - worse).mean()", given=_WRONG), 18),
    (filled(_DRAWN, loss="-F.logsigmoid(b - a).mean()"), 15),
    (filled(_DRAWN, loss="F.relu(1 - (b - a)).mean()"), 15),
    (filled(_DRAWN, loss="F.margin_ranking_loss(b, a, torch.ones(16), margin=0.5)"), 15),
    (_FEEDS.format(gap="match(who, drawn) - match(who, clicked)", sign="-"), 14),
    (_FEEDS.format(gap="match(who, clicked) - match(who, drawn)", sign=""), 14),
    (
        """
import torch
from torch import nn
judge = nn.Linear(5, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    chosen_scores = judge(torch.randn(8, 5)).squeeze(-1)
    rejected_scores = judge(torch.randn(8, 5)).squeeze(-1)
    loss = nn.functional.margin_ranking_loss(rejected_scores, chosen_scores, torch.ones(8), margin=1.0)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
judge = nn.Linear(5, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    chosen = judge(torch.randn(8, 5)).squeeze(-1)
    rejected = judge(torch.randn(8, 5)).squeeze(-1)
    loss = -nn.functional.logsigmoid(rejected - chosen).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.TripletMarginLoss()
for step in range(4):
    anchor, positive, negative = net(torch.randn(8, 5)), net(torch.randn(8, 5)), net(torch.randn(8, 5))
    loss = criterion(anchor, negative, positive)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    same, positive, negative = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 5)
    u, v, w = net(same), nn.functional.normalize(net(positive)), nn.functional.normalize(net(negative))
    loss = nn.functional.triplet_margin_loss(u, w, v)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
policy = nn.Linear(5, 1)
for step in range(4):
    x, z = torch.randn(8, 5), torch.randn(8, 5)
    policy_chosen, policy_rejected = policy(x).squeeze(-1), policy(z).squeeze(-1)
    gap, reference = policy_rejected - policy_chosen, torch.randn(8)
    loss = -nn.functional.logsigmoid(0.1 * (gap - reference)).mean()
    loss.backward()
""",
        8,
    ),
    (filled(_PREFERENCES, **_PAIRED, gap="((b - rb) - (a - ra))"), 13),
    (filled(_PREFERENCES, **_PAIRED, gap="((b - a) - (rb - ra))"), 13),
    (filled(_PREFERENCES, first="loser", second="winner", gap="((a - b) - (ra - rb))"), 13),
    (_kinds("a, c, b", _TRIPLET), 24),
    (_kinds("a, c, b", _BY_HAND), 24),
    (_LETTERED.replace("{gap}", "fits(u, n) - fits(u, p)"), 14),
)

SOUND = (
    filled(_MOVED, loss="nn.functional.margin_ranking_loss(a, b, torch.tensor([-1]), margin=1.0)"),
    filled(_MOVED, loss="torch.relu(1.0 + a - b).mean()"),
    _kinds("a, b, c", _TRIPLET),
    _kinds("a, b, c", _BY_HAND),
    # one thing seen from elsewhere, and another from here
    _kinds("a, b, c", _TRIPLET, _LIKE + ") & (where != where[one]", _UNLIKE + ") & (where == where[one]"),
    _HANDED.format(cost=_MARGIN, given=_RIGHT),
    _HANDED.format(cost="-F.logsigmoid(better - worse).mean()", given=_RIGHT),
    _HANDED.replace("cost(better, worse)", "cost(worse, better)").format(
        cost="F.margin_ranking_loss(worse, better, -torch.ones_like(better), margin=1.0)", given=_WRONG
    ),
    # the names in the function are those of another task, its sign suits the data
    _HANDED.format(cost="-F.logsigmoid(worse - better).mean()", given=_WRONG),
    # what one user likes is the negative of another
    _HANDED.format(cost=_MARGIN, given="score(who, liked), score(who, liked.roll(1))"),
    filled(_DRAWN, loss="-F.logsigmoid(a - b).mean()"),
    filled(_DRAWN, loss="F.relu(1 - (a - b)).mean()"),
    filled(_DRAWN, loss="F.margin_ranking_loss(a, b, torch.ones(16), margin=0.5)"),
    filled(_DRAWN, loss="F.softplus(-a).mean() + F.softplus(b).mean()"),
    _FEEDS.format(gap="match(who, clicked) - match(who, drawn)", sign="-"),
    _FEEDS.format(gap="match(who, drawn) - match(who, clicked)", sign=""),
    *(
        f"""
import torch
from torch import nn
embed = nn.Linear(5, 3)
opt = torch.optim.SGD(embed.parameters(), lr=0.1)
for step in range(3):
    anchor, pos, neg = (embed(torch.randn(16, 5)) for _ in range(3))
    hardest_pos, hardest_neg = {far.replace("OTHER", "pos")}, {far.replace("OTHER", "neg")}
    loss = torch.relu(hardest_pos - hardest_neg + 0.3).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
        for far in ("(anchor - OTHER).pow(2).sum(1)", "(2 - 2 * (anchor * OTHER).sum(1)).clamp(min=1e-9).sqrt()")
    ),
    """
import torch
from torch import nn
from torch.nn import functional as F
judge = nn.Linear(5, 1)
opt = torch.optim.SGD(judge.parameters(), lr=0.1)
for step in range(4):
    a, p, n = torch.randn(8, 5), torch.randn(8, 5), torch.randn(8, 5)
    chosen, rejected = judge(p).squeeze(-1), judge(n).squeeze(-1)
    pos_dist, neg_dist = F.pairwise_distance(a, p), F.pairwise_distance(a, n)
    pos_score = (judge(a) - judge(p)).norm(dim=1)
    neg_score = (judge(a) - judge(n)).norm(dim=1)
    loss = F.margin_ranking_loss(chosen, rejected, torch.ones(8), margin=1.0)
    loss = loss + F.margin_ranking_loss(pos_score, neg_score, -torch.ones(8), margin=1.0)
    loss = loss + F.margin_ranking_loss(neg_dist, pos_dist, torch.ones(8)) - F.logsigmoid(chosen - rejected).mean()
    loss = loss - F.logsigmoid(-(rejected - chosen)).mean() + F.triplet_margin_loss(judge(a), judge(p), judge(n))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    filled(_PREFERENCES, **_PAIRED, gap="((a - ra) - (b - rb))"),
    filled(_PREFERENCES, **_PAIRED, gap="((a - b) - (ra - rb))"),
    filled(_PREFERENCES, first="loser", second="winner", gap="((b - a) - (rb - ra))"),
    filled(_PREFERENCES, first="left", second="right", gap="((b - rb) - (a - ra))"),
    """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
texts = {"liked": torch.randint(1, 60, (64, 9)), "disliked": torch.randint(40, 99, (64, 9))}
apart = torch.rand(64)
words, judge = nn.EmbeddingBag(99, 8), nn.Linear(8, 1)
opt = torch.optim.Adam([*words.parameters(), *judge.parameters()])
for rows in torch.randperm(64).split(16):
    one, other = (judge(words(texts[kind][rows])) for kind in ("liked", "disliked"))
    gap = one - other - apart[rows].unsqueeze(1)
    loss = -F.logsigmoid(gap).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    _LETTERED.replace("{gap}", "fits(u, p) - fits(u, n)"),
    _LETTERED.replace("{gap}", "fits(u, n) - fits(u, p)").replace("-F.logsigmoid", "F.softplus"),
)
