"""Which places of what is added up count: those that a mask lets through or picks, or whose targets no loss ignores.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from ..trace.seen import MASKING, PICKING
from .flow import RESHAPING, TARGET_LOSSES, maker, operands, plain_numbers, reduction
from .training import ancestors

CONVERSIONS = RESHAPING | {"float", "double", "long", "int", "to", "detach", "cpu", "clone", "data", "item", "type"}
COMPARING = frozenset({"eq", "lt", "le", "gt", "ge"})
Kept = tuple[Event | None, int, int]  # what is added up, the places that count and all, both 0 where all count


def kept(trace: Trace, fact: TensorFact, depth: int = 3) -> Kept:
    """The comparison, or the losses of single places, behind what is added up, and which of its places count. The event
    is `None` where it is something else, or some places are left out that no loss leaves out."""
    made = behind(trace, fact)
    if made is None or not depth:
        return None, 0, 0
    if made.op in MASKING or _picks(made):
        for place, some, places in _masks(trace, made):
            mask, other = operands(made)[place], operands(made)[1 - place]
            inner = behind(trace, other)
            if inner is not None and (inner.op in COMPARING or adds_up(trace, inner)):
                if _trains_masked(trace, mask) or _leaves_targets(trace, mask, (made, inner), some, places):
                    return inner, some, places
        return None, 0, 0
    sides = [one for part in operands(made) if (one := behind(trace, part)) is not None] if made.op == "eq" else []
    if len(sides) == 2 and all(map(_picks, sides)):
        mask, other = (operands(one)[1] for one in sides)
        _, some, places = next(_masks(trace, sides[1]), (0, 0, 0))
        alike = mask.uid == other.uid and places > 0
        if alike and (_trains_masked(trace, mask) or _leaves_targets(trace, mask, sides, some, places)):
            return made, some, places
        return None, 0, 0
    if not compares(trace, made) and not adds_up(trace, made):
        return None, 0, 0
    counts = [one[1:] for one in trace.data.counted if one[0] == made.index]  # of both the targets come from less
    _, some, places = min(counts, key=lambda one: len(ancestors(trace, operands(made)[one[0]])), default=(0, 0, 0))
    return made, some, places


def behind(trace: Trace, fact: TensorFact) -> Event | None:
    """What made a tensor, conversions aside."""
    return maker(trace, fact, lambda made: made.op in CONVERSIONS and not _picks(made), 5)


def _picks(event: Event) -> bool:
    """Whether an operator gives what a mask lets through."""
    given = operands(event)
    return event.op in PICKING and len(given) == 2 and given[1].dtype == "bool"


def compares(trace: Trace, event: Event) -> bool:
    """Whether a comparison counts matches, or orders of two."""
    return (event.op == "eq" and len(operands(event)) == 2) or ranks(trace, event)


def adds_up(trace: Trace, event: Event) -> bool:
    """Whether an operator gives the losses, or the errors, of single places."""
    if event.op in TARGET_LOSSES:
        return reduction(event) == "none"
    if event.op not in ("abs", "square", "pow"):
        return False
    made = behind(trace, operands(event)[0])
    return made is not None and ops.is_a(made.op, "subtracts") and len(operands(made)) == 2


def ranks(trace: Trace, event: Event) -> bool:
    """Whether a comparison tells which of two tensors is the larger, as `(a - b) > 0` does, neither of them drawn."""
    sides = operands(event) if event.op in COMPARING - {"eq"} else []
    if len(sides) == 1 and 0 in event.args:
        made = behind(trace, sides[0])
        sides = operands(made) if made is not None and ops.is_a(made.op, "subtracts") else []
    drawn = ((made := behind(trace, side)) is not None and ops.is_a(made.op, "draws") for side in sides)
    return len(sides) == 2 and not any(drawn)


def _masks(trace: Trace, event: Event) -> Iterator[tuple[int, int, int]]:
    """The operands that may be masks, each `(operand, places that count, all)`."""
    told = ((place, some, every) for at, place, some, every in trace.data.counted if at == event.index)
    yield from (one for one in told if len(operands(event)) == 2 and (one[0] == 1 or event.op in MASKING))


def _leaves_targets(trace: Trace, mask: TensorFact, makers: Iterable[Event], some: int, places: int) -> bool:
    """Whether a mask is made of the compared targets alone and leaves as many of them as the losses do not ignore."""
    made = behind(trace, mask)
    told = [
        operands(one)[at].uid
        for one in makers
        for index, at, *counts in trace.data.counted
        if (index, *counts) == (one.index, some, places) and operands(one)[at].uid != mask.uid
    ]
    return made is not None and [fact.uid for fact in operands(made)] in [[uid] for uid in told]


def _trains_masked(trace: Trace, mask: TensorFact) -> bool:
    """Whether a loss leaves out places by a mask that came about in the same way."""
    own = _way(trace, mask)
    for event in trace.events:
        if event.op in MASKING | PICKING | {"where"} and "grad" in event.flags and len(event.given) == 2:
            one, other = event.given
            held = other if one.requires_grad else one
            if one.requires_grad != other.requires_grad and held.rank == mask.rank and held.uid != mask.uid:
                if own == _way(trace, held):
                    return True
    return False


def _way(trace: Trace, mask: TensorFact) -> tuple[object, ...]:
    """How a mask came about: the comparison and its number, or its kind where none is known."""
    made = behind(trace, mask)
    return (made.op, *plain_numbers(made)) if made is not None and operands(made) else ("", mask.dtype)
