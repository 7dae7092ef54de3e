"""Cases of SW371."""

_READ = """
import itertools
import torch
from torch import nn
torch.manual_seed(0)
net = nn.GRU(5, 8, batch_first=True)
top = nn.Linear(8, 4)
opt = torch.optim.Adam([*net.parameters(), *top.parameters()], lr=0.01)
x, y = torch.randn(6, 9, 5), torch.randint(1, 4, (6, 3))


def spoken({given}):
    {read}


for epoch in range(2):
    logs = top(net(x)[0]).log_softmax(-1)
    loss = nn.functional.ctc_loss(logs.transpose(0, 1), y, torch.full((6,), 9), torch.full((6,), 3))
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        out = top(net(x)[0])
        said = {call}
    print(loss.item(), sum(a == b for a, b in zip(said, y.tolist())))
"""
_ROWS = "[spoken(row.argmax(-1).tolist()) for row in out]"


def _read(lines: str, given: str = "path", call: str = _ROWS) -> str:
    return _READ.format(given=given, call=call, read=lines.replace("\n", "\n    "))


_MERGED = "[k for i, k in enumerate({0}) if i == 0 or k != {0}[i - 1]]"
_LAST = """out, last = [], 0
for one in path:
    if one != 0 and one != last:
        out.append(one)
    {after}
return out"""
_ALL = """said = []
for row in scores.argmax(-1).tolist():
    {row}
    said.append("".join("_abc"[k] for k in row if k))
return said"""

FAULTY = (
    (_read(f"left = [k for k in path if k != 0]\nreturn {_MERGED.format('left')}"), 14),
    (_read(_LAST.format(after="last = one or last")), 15),
    (_read(_ALL.format(row="pass"), "scores", "spoken(out)"), 17),
)
SOUND = (
    _read(f"left = {_MERGED.format('path')}\nreturn [k for k in left if k != 0]"),
    _read(_LAST.format(after="last = one")),
    _read(_ALL.format(row="row = [k for k, _ in itertools.groupby(row)]"), "scores", "spoken(out)"),
    # the words of the targets, whose padding is left out, and the kinds that a path has
    _read("return [k for k in path if k != 0]", call="[spoken(row) for row in y.repeat(1, 3).tolist()]"),
    _read("return sorted({k for k in path if k != 0})"),
)
