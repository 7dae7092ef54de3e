"""Sequences that are read piece by piece: which calls read the next steps of one tensor, and whether anything that one
of them computed goes into the next.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, Site, TensorFact, Trace
from .flow import operands, produced, tensors
from .training import PASSING, ancestors

LEAST = 3
AHEAD = 60
WAY = PASSING | {"embedding", "one_hot", "relu", "dropout", "linear", "layer_norm"}


@dataclass(frozen=True)
class Piece:
    """What one place of the script cut out of `base`: the steps from `first` to before `last` along `axis`."""

    cut: Event
    base: int
    axis: int
    first: int
    last: int
    single: bool


def piece(event: Event) -> Piece | None:
    """What a `getitem` cuts out, by a number or by a span with two ends, along one axis."""
    if event.op != "getitem" or len(event.args) != 2 or not isinstance(event.args[0], TensorFact):
        return None
    index = event.args[1] if isinstance(event.args[1], tuple) else (event.args[1],)
    found = None
    for axis, part in enumerate(index):
        value = part.value if isinstance(part, TensorFact) and part.shape is None else part
        span = value if isinstance(value, tuple) and all(isinstance(end, int) for end in value[:2]) else ()
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            here = Piece(event, event.args[0].uid, axis, value, value + 1, True)
        elif len(span) == 3 and 0 <= span[0] < span[1]:
            here = Piece(event, event.args[0].uid, axis, span[0], span[1], False)
        else:
            continue
        if found is not None:
            return None
        found = here
    return found


def cut_from(trace: Trace, fact: TensorFact) -> Piece | None:
    """The piece that a tensor was made of, by operators that keep its steps."""
    for _ in range(8):
        event = produced(trace, fact)
        if event is None:
            return None
        found = piece(event) or _taken(event, fact)
        if found is not None:
            return found
        if event.op not in WAY or not operands(event):
            return None
        fact = operands(event)[0]
    return None


def _taken(event: Event, fact: TensorFact) -> Piece | None:
    """What one round of a loop over the first axis of a tensor is given."""
    if event.op not in ("unbind", "iter") or event.args[1:] not in ((), (0,)) or not operands(event):
        return None
    at = next((place for place, part in enumerate(tensors(event.result)) if part.uid == fact.uid), None)
    return Piece(event, operands(event)[0].uid, 0, at, at + 1, True) if at is not None else None


def follows(one: Piece, other: Piece) -> bool:
    """Whether a piece begins where another one of the same tensor, cut at the same place, ended."""
    same = (one.base, one.axis, one.single, one.cut.site) == (other.base, other.axis, other.single, other.cut.site)
    return same and one.last == other.first


def is_constant(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor was filled with one number, and nothing was computed since."""
    event = produced(trace, fact)
    for _ in range(3):
        if event is None or fact.is_held:
            return False
        if ops.is_a(event.op, "fills_constant") and not operands(event):
            return True
        if event.op not in PASSING or not operands(event):
            return False
        event = produced(trace, operands(event)[0])
    return False


def carried(trace: Trace, made: set[int], fact: TensorFact) -> bool:
    """Whether a tensor was computed from what some events made."""
    return fact.producer in made or not made.isdisjoint(ancestors(trace, fact, AHEAD))


def recurrent_calls(trace: Trace) -> dict[tuple[int, int, tuple[Site, ...]], list[Event]]:
    """The calls of each recurrent layer of torch in one run of a loop."""
    groups: dict[tuple[int, int, tuple[Site, ...]], list[Event]] = {}
    for event in trace.events:
        if ops.is_a(event.op, "recurrent", "cells") and event.site is not None and operands(event):
            groups.setdefault((event.modules[-1] if event.modules else -1, event.loop, event.stack), []).append(event)
    return groups


def states(event: Event) -> list[TensorFact]:
    """The states that a layer or a cell begins with."""
    held = event.args[1] if len(event.args) > 1 else event.kwargs.get("hx")
    return [fact for fact in tensors(held) if not fact.is_held]


def runs(calls: list[tuple[Event, Piece]]) -> Iterator[list[tuple[Event, Piece]]]:
    """Calls in order that read one tensor on and on: three steps or more, or two spans, of which a cut loop shows
    no more."""
    run: list[tuple[Event, Piece]] = []
    for call in (*calls, None):
        if run and (call is None or not follows(run[-1][1], call[1])):
            if len(run) >= (LEAST if run[0][1].single else LEAST - 1):
                yield run
            run = []
        run += [call] if call is not None else []
