"""Cases of SW383."""

_COX = """
import torch
from torch import nn
torch.manual_seed(0)
x, time, seen = torch.randn(40, 3), torch.rand(40), (torch.rand(40) < 0.7)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    score, event = net(x).squeeze(1), seen{kind}
    order = {order}
    score, event = score[order], event[order]
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_SUMMED = "-((score - score.logcumsumexp(0)) * event).sum() / event.sum()"
_TURNED = "-((score - score.flip(0).exp().cumsum(0).log().flip(0)) * event).mean()"
_PICKED = "(score.exp().cumsum(0).log() - score)[event].mean()"


def _cox(order: str, loss: str = _SUMMED, kind: str = ".float()") -> str:
    return _COX.format(order=order, loss=loss, kind=kind)


FAULTY = (
    (_cox("time.argsort()"), 10),
    (_cox("torch.sort(time)[1]", _PICKED, ""), 10),
    (_cox("time.argsort(descending=True)", _TURNED), 10),
)
SOUND = (
    _cox("time.argsort(descending=True)"),
    _cox("torch.argsort(-time)", _PICKED, ""),
    _cox("time.argsort()", _TURNED),
    _cox("time.argsort().flip(0)"),
    _cox("time.argsort()", "-(score - score.logcumsumexp(0)).mean()"),  # a list that is ranked
)
