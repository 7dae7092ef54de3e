"""Losses that read all rows of a table of which a mask, or a list of places, picks those that are judged. Pure: it
reads a `Trace` and judges nothing."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Binding, Event, TensorFact, Trace
from .flow import operands, result_shape, written
from .training import ancestors

NEAR = 40


@dataclass(frozen=True)
class Unmasked:
    """A `loss` that reads all `rows` labels of a table of which `own` picks those that `judged` compares; `other` was
    bound beside it and is never read, or (`read`) picks what is judged elsewhere."""

    loss: Event
    rows: int
    own: Binding
    judged: Event
    other: Binding
    read: bool


def unmasked(trace: Trace) -> Iterator[Unmasked]:
    """Every such loss, for each set of rows that is judged."""
    learned: dict[int, Event] = {}
    judged: list[tuple[TensorFact, TensorFact, Event]] = []
    for event in trace.events:
        sides = operands(event)[:2] if ops.is_a(event.op, "targets", "compares") and not event.modules else []
        if len(sides) < 2 or event.site is None:
            continue
        if any(one.requires_grad for one in sides):
            whole = next((one for one in sides if not one.requires_grad), None)
            if whole is not None and ops.is_a(event.op, "targets") and whole.sizes:
                learned.setdefault(whole.uid, event)
            continue
        for made in (trace.event(one.producer) for one in sides):
            held = operands(made) if made is not None and made.op == "getitem" else []
            if len(held) == 2 and held[1].rank == 1 and held[0].sizes and held[1].uid:
                judged.append((held[0], held[1], event))
    named = {one.fact.uid: one for one in trace.bound}
    read = {fact.uid for one in trace.events for fact in one.given} if judged else set()
    apart = {index.uid: _set_apart(trace, index) for _, index, _ in judged}
    for table, index, event in judged:
        loss, own = learned.get(table.uid), named.get(index.uid)
        if loss is None or own is None or loss.site is None:
            continue
        same = (one for one in trace.bound if one.site == own.site and one.fact.dtype == index.dtype)
        beside = [one for one in same if one.fact.rank == 1 and one.fact.uid != index.uid]
        unread = next((one for one in beside if one.fact.uid not in read), None)
        weighed = any(one.sizes[:1] == table.sizes[:1] for one in operands(loss)[2:])
        none_left = apart[index.uid] and not weighed and result_shape(loss) == ()
        other = unread or next((one for one in beside if none_left and apart.get(one.fact.uid)), None)
        if other is not None and event.site is not None:
            yield Unmasked(loss, table.sizes[0], own, event, other, unread is None)


def _set_apart(trace: Trace, index: TensorFact) -> bool:
    """Whether a mask, or a list of places, was written or counted up by itself, and not computed from the rows."""
    made = [*written(trace).get(index.producer, ()), *ancestors(trace, index, NEAR).values()]
    if any(event.modules or (ops.is_a(event.op, "compares") and event.op in ("eq", "ne")) for event in made):
        return False
    return any(event.op in ("randperm", "arange") or event.args[2:] == (True,) for event in made)
