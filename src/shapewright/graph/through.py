"""What passes a cut of the graph: straight-through values, sums that hold a part with its gradient and another one
without, and draws that would hand their gradients on.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import RESHAPING, chain, consumers, maker, operands, produced
from .training import ancestors


def turned(trace: Trace, choices: Container[str]) -> Iterator[tuple[Event, TensorFact, TensorFact, Event]]:
    """`(the sum, what gets the gradient, what gives the value, the choice)` of every sum of a part that hands on its
    gradient alone and of another that hands on its value alone, where the first was chosen by the second."""
    for event in trace.events:
        if not ops.is_a(event.op, "offsets") or "grad" not in event.flags or event.site is None:
            continue
        parts: dict[int, tuple[TensorFact, list[int]]] = {}
        for at, part in enumerate(operands(event)):
            _counted(trace, part, -1 if at and event.op == "sub" else 1, parts)
        own = next((part for part, counts in parts.values() if counts == [1, -1] and part.requires_grad), None)
        other = next((part for part, counts in parts.values() if counts == [0, 1] and part.requires_grad), None)
        if len(parts) != 2 or own is None or other is None or own.shape != other.shape or other.producer < 0:
            continue
        chosen = [one for one in ancestors(trace, own, 60).values() if one.op in choices]
        choice = next(
            (one for one in chosen for fact in operands(one) if other.producer in ancestors(trace, fact, 60)), None
        )
        if choice is not None:
            yield event, own, other, choice


def cancelled(trace: Trace) -> Iterator[tuple[Event, TensorFact, TensorFact, Event]]:
    """`(the sum, x, y, the difference)` of every `x + (y - x)` that learns through both occurrences of `x`."""
    for event in trace.events:
        if not ops.is_a(event.op, "adds") or "grad" not in event.flags or event.site is None:
            continue
        pair = operands(event)
        for own, rest in (pair, pair[::-1]) if len(pair) == 2 else ():
            made = produced(trace, rest)
            sides = operands(made) if made is not None and made.op == "sub" and len(made.args) == 2 else []
            if made is None or len(sides) != 2 or "reflected" in made.flags or sides[1].uid != own.uid:
                continue
            if sides[0].uid == own.uid or own.kind != "tensor" or own.shape != rest.shape:
                continue
            if own.requires_grad and rest.requires_grad:
                yield event, own, sides[0], made


def _counted(
    trace: Trace, fact: TensorFact, sign: int, parts: dict[int, tuple[TensorFact, list[int]]], live: bool = True
) -> None:
    """How often a sum holds each part with its gradient, and how often without it."""
    made, live = produced(trace, fact), live and fact.requires_grad
    pair = operands(made) if made is not None else []
    if made is not None and ops.is_a(made.op, "cuts"):
        _counted(trace, pair[0], sign, parts, False)
    elif made is not None and ops.is_a(made.op, "offsets") and len(pair) == 2 and fact.shape == pair[0].shape:
        for at, part in enumerate(pair):
            _counted(trace, part, -sign if at and made.op == "sub" else sign, parts, live)
    else:
        parts.setdefault(fact.uid, (fact, [0, 0]))[1][0 if live else 1] += sign


def whole_draw(trace: Trace, event: Event) -> bool:
    """Whether a cut takes the only use of a draw that hands gradients on: learned means, and noise times a learned
    spread."""
    source = next(iter(operands(event)), None) if ops.is_a(event.op, "cuts") and "grad" in event.flags else None
    made = maker(trace, source, lambda one: one.op in RESHAPING) if source is not None else None
    if source is None or made is None or made.op.rstrip("_") != "add" or len(operands(made)) != 2:
        return False
    noisy = [produced(trace, fact) for fact in operands(made) if fact.requires_grad]
    return (
        len(noisy) == 2
        and all(ops.is_a(user.op, "cuts") for user in consumers(trace, source.producer))
        and any(
            one is not None
            and ops.is_a(one.op, "multiplies")
            and any(ops.is_a(by.op, "draws") for fact in operands(one) for by in chain(trace, fact, _filled, 4))
            for one in noisy
        )
    )


def _filled(event: Event) -> bool:
    return event.op in RESHAPING or ops.is_a(event.op, "keeps_values")
