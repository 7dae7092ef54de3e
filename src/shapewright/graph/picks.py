"""Where rows were taken from tables: by a list of places in no order, or cut out in place.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, TensorFact, Trace
from .flow import operands, produced, tensors

FEWEST = 4


@dataclass(frozen=True)
class Pick:
    """`event` took rows of `table` (its uid), which has `rows` of them: by the index `index` (its uid, or that of the
    axis that it gave), or, where that is 0, all from a place on."""

    event: int
    table: int
    rows: int
    index: int = 0


class Picks:
    """The picks behind the rows of every tensor of one trace, each computed once."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.unordered = trace, set(trace.data.unordered)
        self._of: dict[int, frozenset[Pick]] = {}
        for event in trace.events:
            self._of[event.index] = self._made(event)

    def of(self, fact: TensorFact) -> frozenset[Pick]:
        """The picks that the rows of a tensor came from, row by row."""
        return self._of.get(fact.producer, frozenset())

    def every(self) -> Iterator[frozenset[Pick]]:
        """The picks behind every event."""
        return iter(self._of.values())

    def _made(self, event: Event) -> frozenset[Pick]:
        made = next((fact for fact in tensors(event.result) if fact.sizes), None)
        if made is None or made.sizes[0] < FEWEST:
            return frozenset()
        own = self._picked(event, made)
        if own is not None:
            return frozenset({own})
        read = operands(event)[:1] if event.op == "getitem" else operands(event)
        kept = (self.of(fact) for fact in read if fact.sizes[:1] == made.sizes[:1] or _cut(event))
        return frozenset().union(*kept)

    def _picked(self, event: Event, made: TensorFact) -> Pick | None:
        base = event.args[0] if event.op == "getitem" and len(event.args) > 1 else None
        if not isinstance(base, TensorFact) or base.requires_grad or event.modules or not base.sizes:
            return None
        rows, given = base.sizes[0], event.args[1]
        stirred = next((uid for axis in made.axes[:1] for uid, _ in axis.uids if uid in self.unordered), 0)
        listed = isinstance(given, tuple) and len(given) == made.sizes[0] and base.rank == made.rank
        if stirred and listed and all(isinstance(one, int) for one in given):
            return Pick(event.index, base.uid, rows, stirred)
        index = given[0] if isinstance(given, tuple) and given else given
        if not isinstance(index, TensorFact) or made.sizes[0] > rows:
            return None
        if index.kind == "slice":
            cut = made.sizes[0] < rows and index.value[2] in (None, 1) and not self.of(base)
            return Pick(event.index, base.uid, rows) if cut else None
        order = index.uid or stirred  # an array is known by the axis that it gives
        told = order and index.rank == 1 and (stirred or index.sizes == (rows,))
        return Pick(event.index, base.uid, rows, order) if told else None


def _cut(event: Event) -> bool:
    """Whether rows are cut out in place."""
    index = event.args[1] if event.op == "getitem" and len(event.args) > 1 else None
    index = index[0] if isinstance(index, tuple) and index else index
    return isinstance(index, TensorFact) and index.kind == "slice" and index.value[2] in (None, 1)


def _fresh(trace: Trace, cut: Pick, chosen: Pick) -> bool:
    """Whether the table that rows are cut from is no data: constant, counted up, drawn after the order of the others,
    or again and again, as noise and negative samples are."""
    facts = (fact for event in (cut.event, chosen.event) for fact in tensors(trace.events[event].args))
    held = {fact.uid: produced(trace, fact) for fact in facts}
    table, order = held.get(cut.table), held.get(chosen.index)
    if table is None or not ops.is_a(table.op, "draws"):
        return table is not None and ops.is_a(table.op, "fills_constant", "counts_up")
    again = sum(event.op == table.op and event.site == table.site for event in trace.events) > 1
    return again or (order is not None and order.index < table.index)


def crossed(trace: Trace) -> Iterator[tuple[Event, Pick, Pick]]:
    """Every call that learns and lays rows picked in no order beside rows cut in place from a table of the same length,
    of which nothing is ever picked by that order: `(call, the pick, the cut)`."""
    picks = Picks(trace)
    taken = {(pick.table, pick.index) for found in picks.every() for pick in found if pick.index}
    places = {index for _, index in taken}  # a part of an order is no data, but says which rows to take
    for event in trace.events:
        facts = [fact for fact in operands(event)[:2] if fact.sizes]
        if len(facts) < 2 or facts[0].sizes[0] != facts[1].sizes[0] or not any(fact.requires_grad for fact in facts):
            continue
        for one, other in (facts, facts[::-1]):
            left, right = picks.of(one), picks.of(other)
            chosen = next((pick for pick in left if pick.index), None)
            if chosen is None or not right or any(pick.index or pick.rows != chosen.rows for pick in right):
                continue
            cut = next(iter(right))
            if any(fact.uid in places for pick in right for fact in tensors(trace.events[pick.event].result)):
                continue
            if _fresh(trace, cut, chosen):
                continue
            if (cut.table, chosen.index) not in taken and all(pick.rows == chosen.rows for pick in left):
                yield event, chosen, cut
                break
