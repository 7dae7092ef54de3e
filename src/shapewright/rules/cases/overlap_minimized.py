"""Cases of SW296."""

from . import filled

_DICE, _JACCARD = "(2 * hit + 1) / (p.sum(1) + t.sum(1) + 1)", "(hit + 1) / (p.sum(1) + t.sum(1) - hit + 1)"

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 6)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, t = torch.randn(9, 5), torch.randint(0, 2, (9, 6)).float()
for step in range(3):
    p = torch.sigmoid(net(x))
    hit = (p * t).sum(1)
    score = {score}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_UNION = "(hit + 1) / ((p + t - p * t).sum(1) + 1)"

FAULTY = (
    (filled(_SCRIPT, score=_DICE, loss="score.mean()"), 11),
    (filled(_SCRIPT, score=_UNION, loss="score.sum() / 9"), 11),
    (filled(_SCRIPT, score=_JACCARD, loss="nn.functional.binary_cross_entropy(p, t) + score.mean()"), 11),
)

SOUND = (
    filled(_SCRIPT, score=_DICE, loss="1 - score.mean()"),
    filled(_SCRIPT, score=_UNION, loss="1 - score.mean()"),
    filled(_SCRIPT, score=_DICE, loss="(1 - score).mean()"),
    filled(_SCRIPT, score=_JACCARD, loss="-score.mean()"),
    filled(_SCRIPT, score="(p * t).sum(1) / t.sum(1).clamp(min=1)", loss="score.mean()"),
)
