"""Cases of SW359."""

from . import filled

VIEWS = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
rows = torch.randn(128, 12)
net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 8))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)

def other(x):
    return x + 0.1 * torch.randn_like(x)

def contrast(a, b):
    n = len(a)
    z = F.normalize({joined}, dim=1)
    table = (z @ z.t() / 0.2).masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    partners = {partners}
    return F.cross_entropy(table, partners)

for pick in torch.randperm(128).split(32):
    loss = contrast(net(other(rows[pick])), net(other(rows[pick])))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_CLASSES = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
net, scale = nn.Linear(6, 4), nn.Parameter(torch.zeros(()))
table = nn.Parameter(torch.randn(5, 4))
opt = torch.optim.Adam([*net.parameters(), scale, table])


def scores(known, asked):
    middle = {middle}
    return {scores}


for _ in range(3):
    kinds = torch.randn(5, 1, 6)
    x = kinds + 0.1 * torch.randn(5, 7, 6)
    kind = torch.arange(5).repeat_interleave(4)
    loss = F.cross_entropy(scores(net(x[:, :3]), net(x[:, 3:]).flatten(0, 1)), kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_MEAN = "known.mean(1)"
_CAT, _STACK = "torch.cat([a, b])", "torch.stack([a, b], 1).flatten(0, 1)"
_HALVES, _NEXT = "(torch.arange(2 * n) + n) % (2 * n)", "torch.arange(2 * n).roll(1)"
TWINS = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
texts, pictures = torch.randn(96, 6), torch.randn(96, 10)
one, two = nn.Linear(6, 8), nn.Linear(10, 8)
opt = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.1)
for text, picture in DataLoader(TensorDataset(texts, pictures), batch_size=24, shuffle=True):
    a, b = F.normalize(one(text), dim=1), F.normalize(two(picture), dim=1)
    scores = a @ b.t() / 0.1
    own = {own}
    loss = (F.cross_entropy(scores, own) + F.cross_entropy(scores.t(), own)) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
LEVELS = """
import torch
from torch import nn
torch.manual_seed(0)
x = torch.rand(256, 4)
y = x.sum(1) + torch.randn(256).exp()
levels = torch.tensor([0.1, 0.5, 0.9])
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for pick in torch.randperm(256).split(64):
    gap = {gap}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_GAP = "y[pick].unsqueeze(1) - net(x[pick])"
_MOST = "torch.maximum(levels * gap, (levels - 1) * gap).mean()"
_EACH = "sum(torch.max(q * gap[:, i], (q - 1) * gap[:, i]).mean() for i, q in enumerate((0.2, 0.6, 0.9)))"
TARGETS = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
x = torch.randn(120, 6)
y = (x[:, :3] + torch.randn(120, 3)).argmax(1)
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for pick in torch.randperm(120).split(40):
    likely = F.log_softmax(net(x[pick]), dim=1).gather(1, y[pick].unsqueeze(1)).squeeze(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_TERMS = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
body, head, judge = nn.Linear(5, 8), nn.Linear(8, 3), nn.Linear(8, 1)
opt = torch.optim.Adam([*body.parameters(), *head.parameters(){held}], lr=1e-3)
other = torch.optim.Adam(judge.parameters(), lr=1e-3)
for step in range(4):
    x, kinds, group = torch.randn(12, 5), torch.randint(0, 3, (12,)), torch.rand(12).round()
    if {trained}:
        guess = judge(body(x).relu().detach()).squeeze(1)
        other.zero_grad()
        F.binary_cross_entropy_with_logits(guess, group).backward()
        other.step()
    inner = body(x).relu()
    told, guess = head(inner), judge(inner).squeeze(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_HEAD = {"held": ", *judge.parameters()", "trained": "False"}


# what a loss of the script's own costs for ever surer answers
_SURER = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
kinds = torch.randint(0, 4, (96,))
rows = torch.randn(4, 10)[kinds] + torch.randn(96, 10)
net = nn.Linear(10, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for pick in torch.randperm(96).split(24):
    scores, told = net(rows[pick]), kinds[pick]
    logs = scores.log_softmax(1)
    own = logs.gather(1, told[:, None]).squeeze(1)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PAIRS = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
walks = torch.randint(0, 30, (200, 3))
inner, outer = nn.Embedding(30, 6), nn.Embedding(30, 6)
opt = torch.optim.Adam([*inner.parameters(), *outer.parameters()], lr=0.01)
for pick in torch.randperm(200).split(50):
    own = inner(walks[pick, 0])
    near = (own * outer(walks[pick, 1])).sum(1)
    drawn = outer(torch.randint(0, 30, (len(pick), 4)))
    far = torch.bmm({other}, own[:, :, None]).squeeze(2)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_LOGS = "-(F.logsigmoid(near) + F.logsigmoid({}).sum(1)).mean()"

FAULTY = (
    (_CLASSES.format(middle=_MEAN, scores="torch.cdist(asked, middle)"), 14),
    (_CLASSES.format(middle=_MEAN, scores="(asked[:, None] - middle).pow(2).sum(-1) * scale.exp()"), 14),
    (_CLASSES.format(middle=_MEAN, scores="-(asked[:, None] - middle).norm(dim=-1) / -0.5"), 14),
    (_SURER.format(loss="(-0.9 * own + 0.1 * logs.mean(1)).mean()"), 13),
    (_SURER.format(loss="-(own.exp() ** 2 * own).mean()"), 13),
    (VIEWS.format(joined=_STACK, partners=_HALVES), 18),
    (VIEWS.format(joined=_CAT, partners=_NEXT), 18),
    (TWINS.format(own="torch.arange(len(a)).roll(1)"), 14),
    (
        LEVELS.format(
            gap=_GAP.replace("y[pick].unsqueeze(1) - net(x[pick])", "net(x[pick]) - y[pick, None]"), loss=_MOST
        ),
        11,
    ),
    (LEVELS.format(gap="net(x[pick]) - y[pick].unsqueeze(1)", loss=_EACH), 11),
    (TARGETS.format(loss="-(likely.exp() ** 2 * likely).mean()"), 11),
    (filled(_TERMS, **_HEAD, loss="F.cross_entropy(told, kinds) - 0.5 * (guess - group).pow(2).mean()"), 18),
    (filled(_TERMS, **_HEAD, loss="0.5 * F.mse_loss(guess, group) - F.cross_entropy(told, kinds)"), 18),
    (_PAIRS.format(other="drawn", loss=_LOGS.format("far")), 13),
    (_PAIRS.format(other="drawn", loss="-(near.sigmoid().log().mean() + far.sigmoid().log().mean())"), 13),
)

SOUND = (
    _PAIRS.format(other="drawn", loss=_LOGS.format("-far")),
    _PAIRS.format(other="drawn.neg()", loss=_LOGS.format("far")),
    _PAIRS.format(other="drawn", loss="-(near.sigmoid().log().mean() + (1 - far.sigmoid()).log().mean())"),
    _PAIRS.format(other="drawn", loss="-F.logsigmoid(near[:, None] - far).mean()"),
    _CLASSES.format(middle=_MEAN, scores="-torch.cdist(asked, middle)"),
    _CLASSES.format(middle=_MEAN, scores="(asked[:, None] - middle).pow(2).sum(-1) * -scale.exp()"),
    _CLASSES.format(middle=_MEAN, scores="torch.cdist(asked, middle) * scale"),  # the sign is learned
    _CLASSES.format(middle="table", scores="torch.cdist(asked, middle)"),  # points to be far from
    _CLASSES.format(middle=_MEAN, scores="1 / (1 + torch.cdist(asked, middle))"),
    _CLASSES.format(middle=_MEAN, scores="(asked[:, None] - middle).sum(-1)"),
    # the network gives log-probabilities itself
    _SURER.replace("nn.Linear(10, 4)", "nn.Sequential(nn.Linear(10, 4), nn.LogSoftmax(1))").format(
        loss="F.nll_loss(scores, told)"
    ),
    *tuple(
        _SURER.format(loss=loss)
        for loss in (
            "(-0.9 * own - 0.1 * logs.mean(1)).mean()",  # label smoothing
            "-((1 - own.exp()) ** 2 * own).mean()",  # focal loss
            "(-own + 0.1 * (logs.exp() * logs).sum(1)).mean()",  # a reward for entropy
            "((1 - own.exp() ** 0.7) / 0.7).mean()",  # generalized cross-entropy
            "(1 - own.exp()).mean()",
            "F.multi_margin_loss(scores, told)",
            "(-own + 1 - own.exp()).mean()",
            "-own.topk(18).values.mean()",  # the samples that are most wrong are left out
        )
    ),
    filled(_TERMS, **_HEAD, loss="F.cross_entropy(told, kinds) + 0.5 * (guess - group).pow(2).mean()"),
    filled(
        _TERMS,
        held="",
        trained="True",
        loss="F.cross_entropy(told, kinds) - 0.1 * F.binary_cross_entropy_with_logits(guess, group)",
    ),
    filled(_TERMS, **_HEAD, loss="F.cross_entropy(told[:8], kinds[:8]) - 0.1 * F.cross_entropy(told[8:], kinds[8:])"),
    VIEWS.format(joined=_CAT, partners=_HALVES),
    VIEWS.format(joined=_STACK, partners="torch.arange(2 * n) ^ 1"),
    TWINS.format(own="torch.arange(len(a))"),
    LEVELS.format(gap=_GAP, loss=_MOST),
    LEVELS.format(gap=_GAP, loss=_EACH),
    TARGETS.format(loss="-((1 - likely.exp()) ** 2 * likely).mean()"),
    TARGETS.format(loss="-(likely * torch.randn(len(pick))).mean()"),  # what was tried, weighed by what it brought
    TARGETS.format(loss="-(likely * torch.ones(())).mean()").replace(
        "    opt.zero_grad()\n",
        "    moved = torch.zeros_like(x[pick], requires_grad=True)\n"
        "    F.cross_entropy(net(x[pick] + moved), y[pick]).neg().backward()  # an attack: the inputs learn\n"
        "    opt.zero_grad()\n",
    ),
)

# both views of each sample in one batch, and the logit of the positive first
_FIRST = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Views(Dataset):
    def __init__(self):
        self.rows = torch.randn(48, 10)
    def __len__(self):
        return 48
    def __getitem__(self, at):
        return [self.rows[at] * (torch.rand(10) < 0.6) for _ in range(2)]
net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 8))
opt = torch.optim.Adam(net.parameters())
for views in DataLoader(Views(), batch_size=12, shuffle=True, drop_last=True):
    z = F.normalize(net(torch.cat(views)), dim=1)
    table, n = z @ z.T, len(z)
    own = torch.eye(n, dtype=torch.bool)
    pairs = (torch.arange(n // 2).repeat(2)[:, None] == torch.arange(n // 2).repeat(2)[None])[~own].view(n, -1)
    table = table[~own].view(n, -1)
    near, far = table[pairs].view(n, -1), table[~pairs].view(n, -1)
    scores = torch.cat([{order}], dim=1) / {divided}
    loss = F.cross_entropy(scores, torch.zeros(n, dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SOUND += (filled(_FIRST, order="near, far", divided="0.2"), filled(_FIRST, order="near, far", divided="1.0"))
