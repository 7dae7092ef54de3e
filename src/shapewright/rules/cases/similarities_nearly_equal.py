"""Cases of SW379."""

from . import filled

_PAIRS = """
import torch
from torch import nn
torch.manual_seed(0)
one, other = nn.Linear(6, 8), nn.Linear(5, 8)
scale = nn.Parameter(torch.tensor(0.1))
opt = torch.optim.SGD([*one.parameters(), *other.parameters(), scale], lr=0.1)
for step in range(3):
    a = nn.functional.normalize(one(torch.randn(16, 6)), dim=-1)
    b = nn.functional.normalize(other(torch.randn(16, 5)), dim=-1)
    scores = {scores}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_ENTROPY = "nn.functional.cross_entropy(scores, torch.arange(16))"
_BY_HAND = "-(scores.exp().diagonal() / scores.exp().sum(1)).log().mean()"
_ATTENDED = "(scores.softmax(1) @ b - a).pow(2).sum(1).mean()"

FAULTY = (
    (filled(_PAIRS, scores="a @ b.t() * 0.07", loss=_ENTROPY), 11),
    (filled(_PAIRS, scores="0.1 * torch.mm(a, b.T)", loss=_BY_HAND), 11),
    (filled(_PAIRS, scores="(a / a.norm(dim=1, keepdim=True)) @ b.t() / 20", loss=_ENTROPY), 11),
)

SOUND = (
    filled(_PAIRS, scores="a @ b.t() / 0.07", loss=_ENTROPY),
    filled(_PAIRS, scores="a @ b.t()", loss=_ENTROPY),
    filled(_PAIRS, scores="a @ b.t() * scale", loss=_ENTROPY),
    filled(_PAIRS, scores="one(torch.randn(16, 6)) @ b.t() * 0.07", loss=_ENTROPY),
    filled(_PAIRS, scores="a @ b.t() * 0.07", loss=_ATTENDED),
)
