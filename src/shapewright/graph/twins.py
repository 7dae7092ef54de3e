"""Which values were computed twice from the same: by the same operators, of the same tensors and parameters.

Pure: it reads a `Trace`. It judges nothing. What draws random numbers gives another value each time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import argument, consumers, once, tensors

LONGEST = 12  # terms of a sum
MOST = 3  # an anchor, what is like it and what is not


def _first(event: Event) -> tuple[TensorFact, ...]:
    return event.given[:MOST]


def twins(
    trace: Trace, meeting: frozenset[str], given_to: Callable[[Event], tuple[TensorFact, ...]] = _first
) -> Iterator[tuple[Event, Event, Event]]:
    """`(event, first, second)` of every operator of `meeting` two of whose first operands (what is `given_to` it), the
    results of two events, are one value that was computed twice in each iteration that was seen whole."""
    keys = _keys(trace)
    pairs: dict[Any, list[tuple[Event, Event, Event] | None]] = {}
    for event in trace.events:
        if event.op not in meeting or event.site is None or len(given := given_to(event)) < 2:
            continue
        if any(map(_unnoted, given)):
            continue
        alike = next((pair for pair in itertools.combinations(given, 2) if _same(trace, keys, *pair)), None)
        if alike is None and any(fact.producer in _in_part(trace) for fact in given):
            continue
        first, second = sorted(fact.producer for fact in alike) if alike is not None else (-1, -1)
        made = (event, trace.events[first], trace.events[second]) if alike is not None else None
        pairs.setdefault(event.site, []).append(made)
    for found in pairs.values():
        if all(found) and found[0] is not None:
            yield found[0]


def terms(trace: Trace) -> Callable[[Event], tuple[TensorFact, ...]]:
    """What is given to `twins` of a sum: all single numbers that it adds up, where it is no part of a longer sum."""

    def added(event: Event) -> tuple[TensorFact, ...]:
        if any(ops.is_a(user.op, "adds") for user in consumers(trace, event.index)):
            return ()
        found, rest = list[TensorFact](), [event]
        while rest and len(found) < LONGEST:
            for fact in rest.pop().given:
                made = trace.event(fact.producer)
                if made is not None and ops.is_a(made.op, "adds") and not made.modules and len(made.given) <= 2:
                    rest.append(made)
                elif fact.shape == () and fact.requires_grad:
                    found.append(fact)
        return tuple(found)

    return added


def same(trace: Trace, one: TensorFact, other: TensorFact) -> bool:
    """Whether two tensors are one value: a tensor given twice, or one that was computed twice."""
    return one.uid == other.uid or _same(trace, _keys(trace), one, other)


def _same(trace: Trace, keys: list[int], one: TensorFact, other: TensorFact) -> bool:
    if not 0 <= one.producer != other.producer >= 0 or keys[one.producer] != keys[other.producer]:
        return False
    if trace.events[one.producer].stack == trace.events[other.producer].stack:
        return False  # one call in two rounds of a loop: that they saw the same is the data's doing
    return _place(trace, one) == _place(trace, other)


def _unnoted(fact: TensorFact) -> bool:
    """Whether a value was computed by calls of which nothing was noted, as they come often."""
    return fact.producer < 0 and fact.requires_grad and fact.kind != "parameter"


@once
def _in_part(trace: Trace) -> frozenset[int]:
    """The events whose results were computed from what was not noted."""
    found: set[int] = set()
    for event in trace.events:
        if any(fact.producer in found or _unnoted(fact) for fact in event.given):
            found.add(event.index)
    return frozenset(found)


@once
def _keys(trace: Trace) -> list[int]:
    """By event: what its result was computed from, as a number that is equal where that is the same."""
    keys: list[int] = []
    for event in trace.events:
        if ops.is_a(event.op, "draws") or (ops.is_a(event.op, "drops") and argument(event, 2, "training", True)):
            keys.append(hash(("drawn", event.index)))
            continue
        parts = tuple(_key(trace, keys, part, event.index) for part in (*event.args, *sorted(event.kwargs.items())))
        keys.append(hash((event.op, event.iteration, "grad" in event.flags, parts)))
    return keys


def _key(trace: Trace, keys: list[int], part: Any, index: int) -> Any:
    if isinstance(part, TensorFact):
        if 0 <= part.producer < len(keys) and part.kind != "parameter":  # two of one making are two
            return "made", keys[part.producer], _place(trace, part)
        if part.uid or part.shape is None:  # a tensor that is known, or a slice
            return part.kind, part.uid, repr(part.value)
        return "given", index, id(part)  # an array, say: which one nobody knows
    if isinstance(part, (tuple, list)):
        return tuple(_key(trace, keys, inner, index) for inner in part)
    return repr(part)


def _place(trace: Trace, fact: TensorFact) -> int:
    """Which of an event's results a tensor is."""
    made = [one.uid for one in tensors(trace.events[fact.producer].result)]
    return made.index(fact.uid) if fact.uid in made else -1
