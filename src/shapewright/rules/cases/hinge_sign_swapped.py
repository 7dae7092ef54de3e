"""Cases of SW321."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(5, 4)
a, p, n = net(torch.randn(8, 5)), net(torch.randn(8, 5)), net(torch.randn(8, 5))
pos, neg = F.{measure}(a, p), F.{measure}(a, n)
loss = {hinge}.mean()
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{measure}", "cosine_similarity").replace("{hinge}", "F.relu(0.2 + pos - neg)"), 9),
    (_SCRIPT.replace("{measure}", "pairwise_distance").replace("{hinge}", "torch.clamp(0.5 - pos + neg, min=0)"), 9),
    (_SCRIPT.replace("{measure}", "cosine_similarity").replace("{hinge}", "(0.2 - neg + pos).clamp(min=0)"), 9),
)

SOUND = (
    _SCRIPT.replace("{measure}", "cosine_similarity").replace("{hinge}", "F.relu(0.2 - pos + neg)"),
    _SCRIPT.replace("{measure}", "pairwise_distance").replace("{hinge}", "torch.clamp(0.5 + pos - neg, min=0)"),
    _SCRIPT.replace("{measure}", "pairwise_distance").replace("{hinge}", "(pos - neg + 0.5).clamp(min=0)"),
)

_HARD = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(6, 4)
opt = torch.optim.Adam(net.parameters())
rows, kinds = torch.randn(48, 6), torch.randint(0, 4, (48,))
for at in torch.arange(48).split(16):
    out = nn.functional.normalize(net(rows[at]), dim=1)
    table = {table}
    same = kinds[at, None] == kinds[None, at]
    near = {near}
    far = {far}
    loss = ({margin} + 0.2).relu().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_APART = filled(_HARD, table="torch.cdist(out, out)", margin="near - far")
_ALIKE = filled(_HARD, table="out @ out.T", margin="far - near")
_LARGEST = "table.masked_fill(~same, 0).max(dim=1).values"
_SMALLEST = "(table + 9.0 * ~same).amin(1)"
FAULTY += (
    (filled(_APART, near=_LARGEST, far="table.masked_fill(same, 0).max(dim=1).values"), 13),
    (filled(_APART, near="(table * same).amax(1)", far="(table * ~same).amax(1)"), 13),
    (filled(_ALIKE, near=_SMALLEST, far="(table + 9.0 * same).amin(1)"), 13),
)
SOUND += (
    filled(_APART, near=_LARGEST, far="table.masked_fill(same, 9.0).min(dim=1).values"),
    filled(_APART, near="(table + 9.0 * ~same).amin(1)", far="(table + 9.0 * same).amin(1)"),  # the easiest positives
    filled(_ALIKE, near=_SMALLEST, far="(table - 9.0 * same).amax(1)"),
    filled(_ALIKE, near="(table - 9.0 * ~same).amax(1)", far="(table - 9.0 * same).amax(1)"),
)
