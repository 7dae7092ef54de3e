"""Cases of SW349."""

_MIXED = """
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
cost = nn.CrossEntropyLoss()
for _ in range(4):
    x, y = torch.randn(16, 5), torch.randint(0, 3, (16,))
    w, order = {weight}, torch.randperm(16)
    out = net(w * x + (1 - w) * x[order])
    first = cost(out, y)
    second = {second}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_AVERAGE, _NUMBER = "w * first + (1 - w) * second", "torch.rand(()).item()"

_KEPT = _MIXED.replace("    first =", "    kept = x if _ == 0 else 0.9 * kept + 0.1 * x\n    first =")
FAULTY = (
    (_MIXED.format(weight=_NUMBER, second="cost(out, y)", loss=_AVERAGE), 15),
    (_MIXED.format(weight="torch.rand(())", second="cost(out, y)", loss=_AVERAGE), 15),
    (
        _MIXED.replace("x[order])", "x.detach())").format(weight=_NUMBER, second="cost(out, y[order])", loss=_AVERAGE),
        12,
    ),
)
SOUND = (
    _MIXED.format(weight=_NUMBER, second="cost(out, y[order])", loss=_AVERAGE),
    _MIXED.format(weight="torch.rand(())", second="cost(out, y[order])", loss=_AVERAGE),
    _MIXED.format(weight=_NUMBER, second="cost(net(w * x + (1 - w) * x[order]), y)", loss=_AVERAGE),  # other dropout
    _MIXED.format(weight="1.0", second="cost(out, y)", loss=_AVERAGE),  # nothing is mixed
    _MIXED.format(weight=_NUMBER, second="cost(out.detach() + out, y)", loss="w * first + w * second"),
    _MIXED.format(weight=_NUMBER, second="nn.functional.cross_entropy(out, y, label_smoothing=0.1)", loss=_AVERAGE),
    _KEPT.format(weight=_NUMBER, second="cost(out, y[order])", loss=_AVERAGE),
)
