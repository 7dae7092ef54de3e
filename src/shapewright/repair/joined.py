"""What a trace says about a size: which part of a joined axis it leaves out, which axis the author took for one of size
one. It runs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..graph.flow import counts_samples, operands, sample_uids, values_from
from ..graph.training import ancestors
from ..trace import Axis, Event, Failure, TensorFact, Trace

NEAR = 12  # calls before the refused one that are looked at
DATA = frozenset({"loader", "dataset", "literal"})  # origins of sizes that no layer decides


def left_out(trace: Trace, fact: TensorFact, axis: int, size: int) -> Axis | None:
    """The axis of the data that was joined with others into an axis, where a layer counts only those others, `size`
    together: it was forgotten, since no layer could have been made smaller by just as much."""
    event = values_from(trace, fact)
    if event is None or not ops.is_a(event.op, "concatenates") or not -fact.rank <= axis < fact.rank:
        return None
    parts = [part.axes[axis] for part in operands(event) if len(part.axes) == fact.rank]
    missing = fact.sizes[axis] - size
    if len(parts) < 2 or sum(part.size for part in parts) != fact.sizes[axis]:
        return None
    found = [part for part in parts if part.size == missing and (part.origin is None or part.origin.kind in DATA)]
    return found[0] if len(found) == 1 else None


def kept(trace: Trace, failure: Failure) -> Iterator[tuple[TensorFact, int]]:
    """What the call that failed was given, before a `squeeze` that names an axis and had to leave it: the author took
    its size for one. Slices and sums with others may have come since, while the axis is still there."""
    for fact in operands(failure.event) if failure.event is not None else ():
        there = {uid for axis in fact.axes for uid, size in axis.uids if size > 1}
        for _, event in sorted(ancestors(trace, fact, NEAR).items(), reverse=True):
            given = next(iter(operands(event)), None) if ops.is_a(event.op, "squeezes") else None
            axis = ops.bound(event).get("dim") if given is not None else None
            if not isinstance(axis, int) or not -len(given.axes) <= axis < len(given.axes) or given.sizes[axis] < 2:
                continue
            if {uid for uid, _ in given.axes[axis].uids} <= there:
                yield given, axis % given.rank


def turned_before(trace: Trace, given: TensorFact, axis: int, wanted: int) -> Iterator[tuple[Event, TensorFact, int]]:
    """The calls, the nearest first, whose operand had the size that a layer takes along another axis than the layer
    reads, before they changed sizes: there the axes stood wrong already. Each with that operand and the other axis."""
    samples = sample_uids(trace)
    for _, event in sorted(ancestors(trace, given, NEAR).items(), reverse=True):
        before = next(iter(operands(event)), None)
        if before is None or before.is_held or before.rank != given.rank or len(before.axes) != given.rank:
            continue
        if before.axes[axis].uids != given.axes[axis].uids or counts_samples(before.axes[axis], samples):
            continue
        others = [at for at, part in enumerate(before.axes) if at != axis and part.size == wanted]
        if len(others) == 1 and not counts_samples(before.axes[others[0]], samples):
            yield event, before, others[0]
