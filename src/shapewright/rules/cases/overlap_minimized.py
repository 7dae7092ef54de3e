"""Cases of SW296."""

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


def _script(score: str, loss: str) -> str:
    return _SCRIPT.replace("{score}", score).replace("{loss}", loss)


_UNION = "(hit + 1) / ((p + t - p * t).sum(1) + 1)"

FAULTY = (
    (_script(_DICE, "score.mean()"), 11),
    (_script(_UNION, "score.sum() / 9"), 11),
    (_script(_JACCARD, "nn.functional.binary_cross_entropy(p, t) + score.mean()"), 11),
)

SOUND = (
    _script(_DICE, "1 - score.mean()"),
    _script(_UNION, "1 - score.mean()"),
    _script(_DICE, "(1 - score).mean()"),
    _script(_JACCARD, "-score.mean()"),
    _script("(p * t).sum(1) / t.sum(1).clamp(min=1)", "score.mean()"),
)
