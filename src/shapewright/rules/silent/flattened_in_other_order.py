"""Predictions and targets are flattened in different orders.

What it finds: a loss between two axes that were each merged from one shared axis and another, one with the shared axis outermost and the other
with it innermost.
Why it hurts: the counts agree, so nothing raises; but element k of one side is another sample and step than element k of the other.
Example: `cross_entropy(out.reshape(-1, C), y.reshape(-1))` with `out` `(time, batch, C)` and `y` `(batch, time)`.
Instead: transpose one side first: `out.transpose(0, 1).reshape(-1, C)`.
Fix safety: safe; the transposed axes are those that were merged.
"""

from __future__ import annotations

from typing import Iterator

from ...trace import Trace
from ..facts import Facts
from ..flow import TARGET_LOSSES, one_per_place, operands, produced, shown
from ..training import place

code = "SW217"
slug = "flattened-in-other-order"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss between two axes merged in opposite orders."""
    for event in (event for event in trace.events if event.site is not None and event.op in {*TARGET_LOSSES, "eq", "ne"}):
        pair = [fact for fact in operands(event)[:2] if fact.rank >= 1 and len(fact.axes) == fact.rank]
        if len(pair) != 2:
            continue
        left, right = pair[0].axes[0], pair[1].axes[0]
        if left.size != right.size or len(left.uids) != 2 or len(right.uids) != 2:
            continue
        shared = [(i, j) for i, own in enumerate(left.uids) for j, other in enumerate(right.uids) if own == other]
        if len(shared) != 1 or shared[0][0] == shared[0][1]:
            continue
        sources = [made for fact in pair if (made := produced(trace, fact)) is not None and made.site is not None]
        yield Facts(
            event.site, fields={"op": event.op, "a": shown(tuple(size for _, size in left.uids)), "b": shown(tuple(size for _, size in right.uids)), "size": left.size},
            origins=tuple(o for made in sources for o in place(trace, made.site)), cause=f"order:{event.site.file}:{event.site.line}", hint={"event": event.index},
        )


MESSAGES = {
    "en": {
        "message": "{op} pairs {size} values flattened from {a} with {size} values flattened from {b}",
        "why": "one side runs through the samples outermost, the other innermost, so element by element different samples and steps are compared",
    },
    "es": {
        "message": "{op} empareja {size} valores aplanados desde {a} con {size} valores aplanados desde {b}",
        "why": "un lado recorre las muestras por fuera y el otro por dentro: elemento a elemento se comparan muestras y pasos distintos",
    },
    "ja": {
        "message": "{op} は {a} を平らにした {size} 個の値と {b} を平らにした {size} 個の値を組にしています",
        "why": "一方はサンプルが外側、もう一方は内側に並ぶため、要素ごとに別々のサンプルとステップが比べられます",
    },
}

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
rnn, head = nn.GRU(3, 6), nn.Linear(6, 4)
for x, y in DataLoader(TensorDataset(torch.randn(24, 5, 3), torch.randint(0, 4, (24, 5))), batch_size=8):
    out = head(rnn(x.transpose(0, 1))[0])
    loss = nn.functional.cross_entropy({out}.reshape(-1, 4), {y}.reshape(-1))
    loss.backward()
"""
FAULTY = ((_SCRIPT.replace("{out}", "out").replace("{y}", "y"), 9),)
SOUND = (
    _SCRIPT.replace("{out}", "out.transpose(0, 1)").replace("{y}", "y"),
    _SCRIPT.replace("{out}", "out").replace("{y}", "y.t()"),
)
