"""A network averages over the neighbors of each node by the number of edges at the other end.

## What it finds
Rows that one end of the edges reads and the other end adds up, divided by how many edges the reading end has: sums of
the rows that edges bring to each node, divided by the number of edges that leave it. The indices are compared by their
values; where every edge exists in both directions, the numbers are the same and nothing is reported.

## Why it hurts
The quotient is a mean of neither end. Where the rows are read at the wrong end, each node gets the rows of the nodes
that it points to, not of those that point to it.

## Example
    total = torch.zeros_like(x).index_add_(0, source, x[target])
    mean = total / torch.bincount(target, minlength=len(x))[:, None]

## Instead
    total = torch.zeros_like(x).index_add_(0, target, x[source])
    mean = total / torch.bincount(target, minlength=len(x))[:, None]

## Fix safety
Either the sum or the count may be the one that is wrong: that the count changes is shown as a possibility (unsafe).
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import SAME_VALUES, maker, one_per_place, operands
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import UseOther

code = "SW315"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Rows that were picked by one list of places and added up by another, divided by how often the first has each."""
    counts = dict(trace.data.tallied)
    for event in trace.events if counts else ():
        given = operands(event) if ops.is_a(event.op, "divides") else []
        if len(given) != 2 or "reflected" in event.flags or event.site is None:
            continue
        added, counted = (_tallied(trace, fact, counts) for fact in given)
        if added is None or counted is None or counts[added.index] == counts[counted.index]:
            continue
        given = operands(counted)
        plain = maker(trace, given[-1], lambda one: one.op in SAME_VALUES, 4) if given else None
        if counted.op != "bincount" and (plain is None or not ops.is_a(plain.op, "fills_ones")):
            continue
        behind = sorted(ancestors(trace, operands(added)[-1], 40).values(), key=lambda one: -one.index)
        picks = next((one for one in behind if one.index in counts and ops.is_a(one.op, "picks")), None)
        if picks is not None and counts[picks.index] == counts[counted.index] and added.site is not None:
            yield Facts(
                added.site,
                fields={"line": event.site.line, "count": counted.site.line if counted.site is not None else 0},
                origins=(*place(trace, counted.site), *(place(trace, event.site) if event.site != added.site else ())),
                event=added.index,
                remedy=_other_end(counted, added),
            )


def _other_end(counted: Event, added: Event) -> UseOther | None:
    """The list by which rows are added up, counted in place of the other one, if both have names."""
    read = {fact.name for fact in operands(counted) if fact.name}
    ends = [fact.name for fact in operands(added)[1:] if fact.name and not fact.requires_grad]
    names = read - {*ends}
    known = len(names) == 1 and ends and counted.site is not None
    return UseOther(names.pop(), tuple(ends[:1]), True, counted.site) if known else None


def _tallied(trace: Trace, fact: TensorFact, counts: dict[int, int]) -> Event | None:
    """What added rows up, or counted them, of which a tensor holds the results."""

    def kept(one: Event) -> bool:
        alone = len(operands(one)) == 1 and ops.is_a(one.op, "offsets")
        return one.index not in counts and (alone or one.op.rstrip("_") in SAME_VALUES or ops.is_a(one.op, "clamps"))

    made = maker(trace, fact, kept, 8)
    return made if made is not None and made.index in counts and not ops.is_a(made.op, "picks") else None


MESSAGES = {
    "en": {
        "message": "rows are added up by one end of the edges, and divided by the number of edges at the other end",
        "why": (
            "the rows added here were read by the indices that line {count} counts, and added up by the others. The "
            "quotient on line {line} is a mean of neither end: read by one end of the edges, add up and count by the "
            "other"
        ),
    },
    "es": {
        "message": (
            "las filas se suman según un extremo de las aristas y las sumas se dividen entre el número de aristas del "
            "otro extremo"
        ),
        "why": (
            "las filas sumadas aquí se leyeron con los índices que cuenta la línea {count} y se sumaron según los "
            "otros. El cociente de la línea {line} no es la media de ningún extremo: lee según un extremo de las "
            "aristas; suma y cuenta según el otro"
        ),
    },
    "ja": {
        "message": "行をエッジの一方の端で集計し、その和を反対側の端のエッジ数で割っています",
        "why": (
            "ここで足す行は {count} 行目で数えたインデックスで読み出され、もう一方のインデックスで集計されて"
            "います。{line} 行目の商はどちらの端の平均でもありません。一方の端で読み出し、他方の端で集計して数えます"
        ),
    },
}
