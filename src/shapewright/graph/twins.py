"""Which values were computed twice from the same: by the same operators, of the same tensors and parameters.

Pure: it reads a `Trace`. It judges nothing. What draws random numbers gives another value each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import tensors


def twins(trace: Trace, meeting: frozenset[str]) -> Iterator[tuple[Event, Event, Event]]:
    """`(event, first, second)` of every operator of `meeting` whose two operands, the results of two events, are one
    value that was computed twice in each iteration."""
    keys = _keys(trace)
    pairs: dict[Any, list[tuple[Event, Event, Event] | None]] = {}
    for event in trace.events:
        given = event.given
        if event.op not in meeting or len(given) != 2 or event.site is None:
            continue
        one, other = (fact.producer for fact in given)
        same = (
            0 <= one != other >= 0 and keys[one] == keys[other] and _place(trace, given[0]) == _place(trace, given[1])
        )
        first, second = sorted((one, other))
        pairs.setdefault(event.site, []).append((event, trace.events[first], trace.events[second]) if same else None)
    for found in pairs.values():
        if all(found) and found[0] is not None:
            yield found[0]


def _keys(trace: Trace) -> list[int]:
    """By event: what its result was computed from, as a number that is equal where that is the same."""
    keys: list[int] = []
    for event in trace.events:
        if ops.is_a(event.op, "draws") or (ops.is_a(event.op, "drops") and "training" in event.flags):
            keys.append(hash(("drawn", event.index)))
            continue
        parts = tuple(_key(trace, keys, part) for part in (*event.args, *sorted(event.kwargs.items())))
        keys.append(hash((event.op, event.iteration, "grad" in event.flags, parts)))
    return keys


def _key(trace: Trace, keys: list[int], part: Any) -> Any:
    if isinstance(part, TensorFact):
        if 0 <= part.producer < len(keys):
            return "made", keys[part.producer], _place(trace, part)
        return "given", part.uid
    if isinstance(part, (tuple, list)):
        return tuple(_key(trace, keys, inner) for inner in part)
    return repr(part)


def _place(trace: Trace, fact: TensorFact) -> int:
    """Which of an event's results a tensor is."""
    made = [one.uid for one in tensors(trace.events[fact.producer].result)]
    return made.index(fact.uid) if fact.uid in made else -1
