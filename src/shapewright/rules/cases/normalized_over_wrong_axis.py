"""Cases of SW268."""

from . import filled

_GRAPH = """
import torch
from torch import nn
torch.manual_seed(0)
adj = (torch.rand(9, 9) < 0.4).float() + torch.eye(9)
x, lift = torch.randn(9, 4), nn.Linear(4, 2)
{adj}
(adj @ lift(x)).mean().backward()
"""

_COSINE = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
weight, net = nn.Parameter(torch.randn(7, 5)), nn.Linear(3, 5)
for step in range(2):
    x, y = F.normalize(net(torch.randn(6, 3)), dim=1), torch.randint(0, 7, (6,))
    F.cross_entropy(8 * {product}, y).backward()
"""

_ALIKE = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(3, 5)
for step in range(2):
    z = net(torch.randn(6, 3))
    {unit}
    {table}.pow(2).mean().backward()
"""


_ANSWERS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Embedding(9, 8), nn.Linear(8, 9))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(3):
    asked = {asked}
    with torch.no_grad():
        said = torch.multinomial(net(asked).softmax(-1), 1)[:, 0]
    gain = (said == asked).float().view(6, 5)
    {rest}
    logs = net(asked).log_softmax(-1).gather(1, said[:, None])[:, 0]
    loss = -(logs * gain.reshape(-1)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_EACH = "torch.randint(0, 9, (6,)).repeat_interleave(5)"

# an overlap of classes, with a softmax over one of the axes of pictures
_OVERLAP = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 1))
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    x, y = torch.randn(6, 3, 12, 10), torch.randint(0, 4, (6, 12, 10))
    out = net(x)
    p = {shares}
    t = nn.functional.one_hot(y, 4).permute(0, 3, 1, 2).float()
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_DICE = "1 - (2 * (p * t).sum((2, 3)) / (p.sum((2, 3)) + t.sum((2, 3)))).mean()"
_BOTH = "nn.functional.cross_entropy(out, y) - (p.gather(1, y[:, None]) * 0.1).mean()"

_SCATTERED = _OVERLAP.replace(
    "nn.functional.one_hot(y, 4).permute(0, 3, 1, 2).float()", "torch.zeros_like(out).scatter_(1, y[:, None], 1.0)"
)

_VIEWS = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(12, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.randn(72, 12), batch_size=24):
    a, b = net(x + 0.1 * torch.randn_like(x)), net(x + 0.1 * torch.randn_like(x))
    {unit}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_JOINED = "z = torch.cat([a, b]); z = z / z.norm(dim={}, keepdim=True)"
_AGAINST = "F.cross_entropy((z @ z.T / 0.1).fill_diagonal_(-1e4), (torch.arange(48) + 24) % 48)"
_NAMED = "F.cross_entropy(torch.einsum('id,jd->ij', a, b) / 0.1, torch.arange(24))"

FAULTY = (
    (filled(_VIEWS, unit=_JOINED.format(0), loss=_AGAINST), 10),
    (filled(_VIEWS, unit="a = a / a.norm(dim=0); b = b / b.norm(dim=0)", loss=_NAMED), 10),
    (_GRAPH.replace("{adj}", "adj = adj / adj.sum(dim=1)"), 7),
    (_GRAPH.replace("{adj}", "adj = adj / (adj.sum(-1) + 1e-8)"), 7),
    (_GRAPH.replace("{adj}", "adj = torch.exp(adj)\nadj = adj / adj.norm(dim=1).clamp(min=1e-6)"), 8),
    (_COSINE.replace("{product}", "F.linear(x, F.normalize(weight, dim=0))"), 9),
    (_COSINE.replace("{product}", "(x @ F.normalize(weight, dim=0).t())"), 9),
    (filled(_ALIKE, unit="z = z / torch.sqrt(torch.sum(z**2, 0, keepdim=True))", table="(z @ z.t())"), 9),
    (filled(_ALIKE, unit="z = z / (z.norm(dim=0, keepdim=True) + 1e-8)", table="torch.mm(z, z.T)"), 9),
    (filled(_ANSWERS, asked=_EACH, rest="gain = gain - gain.mean(0)"), 12),
    (filled(_ANSWERS, asked=_EACH, rest="gain = (gain - gain.mean(0, True)) / (gain.std(0, keepdim=True) + 1e-4)"), 12),
    (filled(_OVERLAP, shares="out.softmax(-1)", loss=_DICE), 10),
    (filled(_OVERLAP, shares="torch.softmax(out, dim=2)", loss=_DICE), 10),
    (filled(_OVERLAP, shares="nn.functional.softmax(out, dim=3)", loss=_BOTH), 10),
    (filled(_SCATTERED, shares="out.softmax(2)", loss=_DICE), 10),
)

SOUND = (
    filled(_VIEWS, unit=_JOINED.format(1), loss=_AGAINST),
    filled(_VIEWS, unit="a, b = F.normalize(a), F.normalize(b)", loss=_NAMED),
    # a correlation of features
    filled(
        _VIEWS,
        unit="a, b = (F.normalize(z - z.mean(0), dim=0) for z in (a, b))",
        loss="(a.T @ b - torch.eye(8)).pow(2).sum()",
    ),
    filled(
        _VIEWS,
        unit="a, b = (F.normalize(z - z.mean(0), dim=0) for z in (a, b))",
        loss="(torch.einsum('ni,nj->ij', a, b) - torch.eye(8)).pow(2).sum()",
    ),
    _GRAPH.replace("{adj}", "adj = adj / adj.sum(dim=1, keepdim=True)"),
    _GRAPH.replace("{adj}", "adj = adj / adj.sum(dim=0)"),
    _GRAPH.replace("{adj}", "d = adj.sum(1).sqrt()\nadj = adj / d / d[:, None]"),
    _GRAPH.replace("{adj}", "adj = (adj / adj.sum(1)).t()"),
    _GRAPH.replace("{adj}", "adj = adj / adj.sum(1)[:, None]"),
    _COSINE.replace("{product}", "F.linear(x, F.normalize(weight, dim=1))"),
    _COSINE.replace("{product}", "(x @ F.normalize(weight.t(), dim=0))"),
    _COSINE.replace("{product}", "F.linear(x, F.normalize(weight, dim=0) * 0.5)"),
    filled(_ALIKE, unit="z = z / torch.sqrt(torch.sum(z**2, 1, keepdim=True))", table="(z @ z.t())"),
    filled(_ALIKE, unit="z = z / z.norm(dim=0, keepdim=True)", table="(z.t() @ z)"),  # a correlation of features
    filled(
        _ALIKE, unit="z = F.normalize(z, dim=1)", table="(z.t() @ z)"
    ),  # a covariance of features of samples of length one
    filled(
        _ALIKE, unit="z = (z - z.mean(0)) / z.std(0)", table="(z @ z.t())"
    ),  # standardized columns, compared row by row
    filled(_ALIKE, unit="z = z / z.pow(2).mean()", table="(z @ z.t())"),
    filled(_ALIKE, unit="z = z / z.abs().amax(0, keepdim=True)", table="(z @ z.t())"),
    filled(_ANSWERS, asked=_EACH, rest="gain = gain - gain.mean(1, True)"),
    filled(_ANSWERS, asked=_EACH, rest="gain = (gain - gain.mean()) / (gain.std() + 1e-4)"),
    filled(_ANSWERS, asked="torch.randint(0, 9, (5,)).repeat(6)", rest="gain = gain - gain.mean(0)"),
    filled(_ANSWERS, asked="torch.randint(0, 9, (30,))", rest="gain = gain - gain.mean(0)"),
    filled(_OVERLAP, shares="out.softmax(1)", loss=_DICE),
    filled(_OVERLAP, shares="torch.softmax(out, dim=-3)", loss=_BOTH),
    filled(_OVERLAP, shares="out.sigmoid()", loss=_DICE),
    filled(
        _OVERLAP, shares="out.softmax(-1)", loss="((p * torch.arange(10.0)).sum(-1) - 4).pow(2).mean() + 0 * t.sum()"
    ),
    filled(_SCATTERED, shares="out.softmax(1)", loss=_DICE),
)
