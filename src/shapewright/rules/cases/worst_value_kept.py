"""Cases of SW363."""

_CHOSEN = """
import copy

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(90, 6)
y = (x @ torch.randn(6, 3)).argmax(1)
net = nn.Linear(6, 3)
opt = torch.optim.Adam(net.parameters(), lr=0.05)


def judge(part):
    net.eval()
    with torch.no_grad():
        scores = net(x[part])
    net.train()
    {judged}


best, kept = {first}, None
for _ in range(4):
    for at in range(0, 60, 20):
        loss = nn.functional.cross_entropy(net(x[at : at + 20]), y[at : at + 20])
        opt.zero_grad()
        loss.backward()
        opt.step()
    {bound} = judge(slice(60, 90))
    if {test}:
        best = {bound}
        {keep}
print(best, kept is None)
"""
_SHARE = "return (scores.argmax(1) == y[part]).float().mean().item()"
_COUNT = "hits = (scores.argmax(1) == y[part]).sum().item()\n    return 1 - hits / len(scores)"
_COST = "return nn.functional.cross_entropy(scores, y[part]).item()"
_ARRAY = "return float((scores.numpy().argmax(1) == y[part].numpy()).mean())"
_KEEP = "kept = copy.deepcopy(net.state_dict())"


def _made(judged: str, test: str, first: str = "1.0", bound: str = "q", keep: str = _KEEP) -> str:
    return _CHOSEN.format(judged=judged, test=test, first=first, bound=bound, keep=keep)


FAULTY = (
    (_made(_SHARE, "q < best"), 30),
    (_made(_COST, "best <= q", "0.0"), 30),
    (_made(_ARRAY, "kept is None or best > q"), 30),
)
SOUND = (
    _made(_SHARE, "q > best", "0.0"),
    _made(_COUNT, "q < best"),
    _made(_COST, "accuracy < best", "9.0", bound="accuracy"),
    _made(_SHARE, "q < best", keep="kept = at"),  # the worst epoch is asked for
)
