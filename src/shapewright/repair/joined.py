"""What a trace says about a size: which part of a joined axis it leaves out, which axis the author took for one of size
one. It runs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..graph.flow import consumers, counts_samples, operands, sample_uids, tensors, values_from
from ..graph.training import ancestors
from ..trace import Axis, Event, Failure, TensorFact, Trace

NEAR = 12  # calls before the refused one that are looked at
FEW = 60  # calls that a value may come from
WHOLE = ("int64", "int32")
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
        for event in _along(trace, fact, there):
            given = next(iter(operands(event)), None) if ops.is_a(event.op, "squeezes") else None
            axis = ops.bound(event).get("dim") if given is not None else None
            if not isinstance(axis, int) or not -len(given.axes) <= axis < len(given.axes) or given.sizes[axis] < 2:
                continue
            if {uid for uid, _ in given.axes[axis].uids} <= there:
                yield given, axis % given.rank


def _along(trace: Trace, fact: TensorFact, axes: set[int]) -> Iterator[Event]:
    """The calls that handed on one of these axes to a tensor, the nearest first: what else went into it is left out,
    however much it is."""
    queue, seen = [fact.producer], set()
    while queue and len(seen) < NEAR:
        index = max(queue)
        queue.remove(index)
        event = trace.event(index) if index not in seen else None
        if event is None:
            continue
        seen.add(index)
        yield event
        queue += [
            part.producer
            for part in operands(event)
            if part.producer < index and any(uid in axes for axis in part.axes for uid, _ in axis.uids)
        ]


def squeezed_alone(trace: Trace, file: str, line: int) -> bool:
    """Whether a layer that is constructed here is one whose last axis the author takes for one of size one wherever it
    gave a result: nothing but a `squeeze` of that axis reads what it makes. Another layer has its width from elsewhere,
    so that the width does not lose its purpose."""
    kept_of = {fact.producer for fact, axis in kept(trace, trace.failure) if axis == fact.rank - 1}
    owners = [trace.layer(event) for event in map(trace.event, kept_of) if event is not None]
    layers = [m for m in owners if m is not None and any((s.file, s.line) == (file, line) for s in m.stack)]
    for layer in layers:
        made = [event for event in trace.events if event.modules[-1:] == (layer.uid,) and any(tensors(event.result))]
        readers = [reader for event in made for reader in consumers(trace, event.index)]
        width = {size for _, shape in layer.parameters for size in shape[:1]}
        alike = [m for m in trace.modules.values() if m.site != layer.site and m.kind == layer.kind]
        if readers and all(_squeezes_last(reader) for reader in readers):
            return any({size for _, shape in m.parameters for size in shape[:1]} == width for m in alike)
    return False


def picked_by(trace: Trace) -> bool:
    """Whether the script has an integer for each row of what was squeezed in vain, which went into nothing that the
    refused call was given: one of the values of a row may be meant to be picked by it."""
    given = operands(trace.failure.event) if trace.failure.event is not None else []
    read = {index for fact in given for index in (fact.producer, *ancestors(trace, fact, FEW))}
    rows = {fact.sizes[:axis] + fact.sizes[axis + 1 :] for fact, axis in kept(trace, trace.failure)} - {()}
    return any(
        one.fact.dtype in WHOLE and one.fact.sizes in rows and one.fact.producer not in read for one in trace.bound
    )


def _squeezes_last(event: Event) -> bool:
    """Whether a call takes away the last axis of what it is given, by its place."""
    given = next(iter(operands(event)), None) if ops.is_a(event.op, "squeezes") else None
    axis = ops.bound(event).get("dim") if given is not None else None
    return isinstance(axis, int) and axis % max(given.rank, 1) == given.rank - 1


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


def laid_down(trace: Trace, given: TensorFact, axis: int, wanted: int) -> Iterator[tuple[Event, int, int]]:
    """The call that made the table of which a tensor's parts were taken, whose axis `axis` is one of the table's two,
    where the other one has the size that is asked for: `(call, the axis there, the other one)`."""
    uids = given.axes[axis].uids if len(given.axes) == given.rank else ()
    for _, event in sorted(ancestors(trace, given, NEAR).items(), reverse=True):
        before = next(iter(operands(event)), None)
        if before is None or before.is_held or before.rank != 2 or len(before.axes) != 2:
            continue
        made = trace.event(before.producer)
        for at, other in ((0, 1), (1, 0)) if made is not None and made.site is not None and not made.modules else ():
            if uids and before.axes[at].uids == uids and before.axes[other].size == wanted != before.axes[at].size:
                yield made, at, other
                return
