"""Cases of SW231."""

from . import filled
from .returns_in_wrong_order import ON, TABLES

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
ids = torch.randint(1, 20, (6, 9))
ids[:, 6:] = 0
lengths = torch.full((6,), 6)
words = nn.Embedding(20, 8, padding_idx=0)
body = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
query = nn.Linear(8, 1)
x = words(ids)
{use}
out.mean().backward()
"""


_ENDS = """
import torch
from torch import nn

torch.manual_seed(0)
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts, self.out = nn.ModuleList([nn.Linear(3, 3) for _ in range(24)]), nn.Linear(3, 1)
    def forward(self, x):
        for part in self.parts:
            x = x + 0.1 * part(x).relu()
        return self.out(x)
critic = Deep()
opt = torch.optim.Adam(critic.parameters())
for _ in range(3):
    seen, ends = torch.randn(21, 3), []
    for k in range(20):
        over = k % 8 == 7
        goes = {goes}
        ends.append([goes])
    mask = torch.tensor(ends, dtype=torch.float)
    goal = torch.rand(20, 1) + mask * 0.9 * critic(seen[1:]).detach()
    loss = (critic(seen[:-1]) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PLAYED = _ENDS.replace(  # by way of an array, as for returns that are summed up step by step
    "loss = (critic(seen[:-1]) - goal)",
    "missed = (goal - critic(seen[:-1]).detach()).numpy()\n"
    "    loss = (critic(seen[:-1]) - torch.from_numpy(missed[::-1].cumsum(0)[::-1].copy()))",
)

_NUMPY = (
    "import numpy\nmask = torch.from_numpy(numpy.{half}(numpy.ones((9, 9)), {k})).bool()\n"
    "out = (x @ x.transpose(1, 2)).masked_fill(mask, -1e9).softmax(-1) @ x"
)

# no reward is seen yet: the return is zero from an end on, and no mask
_SPARSE = """import torch
from torch import nn
torch.manual_seed(0)
value, policy = nn.Linear(3, 1), nn.Linear(3, 2)
opt = torch.optim.Adam([*value.parameters(), *policy.parameters()], lr=1e-2)
obs = torch.randn(4, 3)
for update in range(3):
    logps, values, rewards, masks = [], [], [], []
    for step in range(8):
        told = torch.distributions.Categorical(logits=policy(obs))
        action = told.sample()
        values.append(value(obs).squeeze(-1)); logps.append(told.log_prob(action))
        done = torch.full((4,), float(step == 7))
        obs = torch.randn(4, 3)
        rewards.append(torch.zeros(4)); masks.append(1 - done)
    with torch.no_grad():
        ret = value(obs).squeeze(-1)
    returns = []
    for r, m in zip(reversed(rewards), reversed(masks)):
        ret = r + 0.95 * m * ret
        returns.insert(0, ret)
    adv = torch.stack(returns) - torch.stack(values)
    loss = -(torch.stack(logps) * adv.detach()).mean() + adv.pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""

_HIDDEN = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
WORDS, HIDDEN = 30, 1

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(WORDS, 16), nn.Linear(32, WORDS)
        self.rnn = nn.GRU(16, 16, batch_first=True, bidirectional=True)

    def forward(self, x):
        return self.out(self.rnn(self.words(x))[0])

net = Reader()
opt = torch.optim.Adam(net.parameters())
for (tokens,) in DataLoader(TensorDataset(torch.randint(2, WORDS, (80, 12))), batch_size=20, shuffle=True):
    keep = torch.rand(tokens.shape) > 0.15
    x = torch.where(keep, tokens, torch.full_like(tokens, HIDDEN))
    each = nn.functional.cross_entropy(net(x).transpose(1, 2), tokens, reduction="none")
    weight = keep.float()
    loss = (each * weight).sum() / weight.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_RIGHT = ("weight = keep.float()", "weight = (~keep).float()")

_PATCHES = """
import torch
from torch import nn

torch.manual_seed(0)
series = torch.randn(128, 10, 6).cumsum(1)
net = nn.Sequential(nn.Flatten(), nn.Linear(60, 64), nn.ReLU(), nn.Linear(64, 60), nn.Unflatten(1, (10, 6)))
opt = torch.optim.SGD(net.parameters(), 0.01)

def step(batch):
    hide = torch.rand(batch.shape[:2]) < 0.4
    out = net(batch.masked_fill(hide.unsqueeze(-1), 0.0))
    error = ((out - batch) ** 2)[~hide].mean()
    opt.zero_grad()
    error.backward()
    opt.step()

for start in range(0, 128, 16):
    step(series[start : start + 16])
"""

_MISSING = """
import torch
from torch import nn

torch.manual_seed(0)
full = torch.randn(128, 8).cumsum(1)
there = torch.rand(128, 8) < 0.7
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
opt = torch.optim.Adam(net.parameters())
for rows in torch.randperm(128).split(16):
    x, kept = full[rows], there[rows]
    loss = ((net(x * kept) - x) ** 2 * kept).sum() / kept.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PSEUDO = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y, more = torch.randn(24, 6), torch.randint(0, 3, (24,)), torch.randn(96, 6)
for step in range(4):
    seen = more[step * 24 : step * 24 + 24]
    with torch.no_grad():
        odds = net(seen).softmax(1)
        sure, kind = odds.max(1)
        entropy = -(odds * odds.log()).sum(1)
    out = net(seen + 0.1 * torch.randn_like(seen))
    {kept}
    loss = F.cross_entropy(net(x), y) + own
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_EACH = 'own = (F.cross_entropy(out, kind, reduction="none") * {keep}).mean()'

FAULTY = (
    (filled(_SCRIPT, use=_NUMPY.format(half="tril", k=-1)), 14),
    (_ENDS.format(goes="1.0 if over else 0.0"), 23),
    (filled(_SCRIPT, use="out = body(x, src_key_padding_mask=ids != 0)"), 12),
    (
        filled(
            _SCRIPT,
            use="keep = torch.arange(9)[None, :] < lengths[:, None]\nweights = query(x).squeeze(-1).masked_fill(keep, "
            "float('-inf')).softmax(dim=1)\nout = weights[..., None] * x",
        ),
        13,
    ),
    (
        filled(
            _SCRIPT,
            use="pad = (ids == 0)[:, None, None, :]\nout = nn.functional.scaled_dot_product_attention(x[:, None], x[:, "
            "None], x[:, None], attn_mask=pad)",
        ),
        13,
    ),
    (_HIDDEN, 25),
    (filled(_PSEUDO, kept="drop = sure >= 0.5\n    own = F.cross_entropy(out[~drop], odds.argmax(1)[~drop])"), 16),
    (_PATCHES, 13),
    (filled(TABLES, order="reversed(range(steps))", on=ON.removeprefix("1 - ")), 27),
    (_PLAYED.format(goes="1.0 if over else 0.0"), 23),
)

SOUND = (
    filled(_SCRIPT, use=_NUMPY.format(half="triu", k=1)),
    _ENDS.format(goes="0.0 if over else 1.0"),
    filled(_SCRIPT, use="out = body(x, src_key_padding_mask=ids == 0)"),
    filled(
        _SCRIPT,
        use="keep = torch.arange(9)[None, :] < lengths[:, None]\nweights = query(x).squeeze(-1).masked_fill(~keep, "
        "float('-inf')).softmax(dim=1)\nout = weights[..., None] * x",
    ),
    filled(
        _SCRIPT,
        use="keep = (ids != 0).long()\n"
        "weights = query(x).squeeze(-1).masked_fill(keep == 0, -1e9).softmax(dim=1)\nout = "
        "weights[..., None] * x",
    ),
    filled(
        _SCRIPT,
        use="keep = (ids != 0)[:, None, None, :]\n"
        "out = nn.functional.scaled_dot_product_attention(x[:, None], x[:, None], "
        "x[:, None], attn_mask=keep)",
    ),
    filled(
        _SCRIPT,
        use="labels = ids.masked_fill(ids != 3, -100)\nout = torch.where(ids[..., None] != 0, x, torch.zeros(())) + "
        "body(x, src_mask=torch.triu(torch.ones(9, 9), 1).bool())",
    ),
    filled(
        _SCRIPT,
        use="scores = x @ x.transpose(1, 2)\nscores = scores.masked_fill(torch.tril(torch.ones(9, 9)) == 0, "
        "float('-inf'))\nout = scores.masked_fill((ids == 0)[:, None], -1e9).softmax(-1) @ x",
    ),
    _SPARSE,
    # confident, of low entropy, or hard examples of labels that were given
    filled(_PSEUDO, kept=_EACH.format(keep="(1 - (sure < 0.5).float())")),
    filled(
        _PSEUDO,
        kept=_EACH.format(keep="(entropy < 0.9)") + "\n    hard = net(x)\n    own = own + (F.cross_entropy(hard, y, "
        "reduction='none') * (hard.detach().softmax(1).amax(1) < 0.6)).mean()",
    ),
    _HIDDEN.replace(*_RIGHT),
    _PATCHES.replace("~hide", "hide"),
    _MISSING,  # nobody knows what is missing: only what is there can be asked for
    _PLAYED.format(goes="0.0 if over else 1.0"),
)
