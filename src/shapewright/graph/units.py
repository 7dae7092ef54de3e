"""What a number is per: whether a scalar sums over the samples of a batch or averages over them.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, TensorFact, Trace
from .flow import (
    REDUCING,
    RESHAPING,
    TARGET_LOSSES,
    argument,
    counts_samples,
    operands,
    plain_numbers,
    produced,
    reduction,
)
from .training import ancestors

PASSING = RESHAPING | {"clone", "float", "double", "to", "abs", "sqrt", "clamp"}


@dataclass(frozen=True)
class Term:
    """A term of a loss: `event` reduced `size` samples to one number by `how` (`sum` or `mean`; empty where that is
    not known), and the loss has it `weight` times. `by` are the divisions that it went through, the last one first,
    each with its plain number or, where the divisor is a count that the run made, with none."""

    event: Event
    how: str
    size: int
    weight: float
    by: tuple[tuple[Event, float | None], ...] = ()
    given: TensorFact | None = None  # what was reduced, where that is a part of what the event was given

    @property
    def reduced(self) -> TensorFact | None:
        """What was reduced to one number."""
        return self.given or next(iter(operands(self.event)), None)


def terms(
    trace: Trace, loss: TensorFact, samples: frozenset[int], weight: float = 1.0, depth: int = 16
) -> Iterator[Term]:
    """The terms that a loss adds up, each with its constant weight."""
    event = produced(trace, loss)
    if event is None or not depth:
        return
    numbers = plain_numbers(event)
    given, op = operands(event), event.op.rstrip("_")
    if ops.is_a(op, "offsets") and all(part.rank == 0 for part in given):
        for part in given:
            yield from terms(trace, part, samples, weight, depth - 1)
    elif ops.is_a(op, "scales") and len(given) == 1 and numbers and given[0].rank == 0 and numbers[0]:
        if "reflected" not in event.flags:
            factor = float(numbers[0]) if op == "mul" else 1 / float(numbers[0])
            for term in terms(trace, given[0], samples, weight * factor, depth - 1):
                yield replace(term, by=((event, 1 / factor), *term.by))
    elif op == "div" and len(given) == 2 and _count(trace, given[1]) and given[0].rank == 0:
        for term in terms(trace, given[0], samples, weight, depth - 1):
            yield replace(term, how="mean" if term.how == "sum" else term.how, by=((event, None), *term.by))
    elif event.op == "neg" or (event.op in PASSING and given and given[0].rank == 0):
        yield from terms(trace, given[0], samples, weight, depth - 1)
    elif any(part.requires_grad for part in given):
        how, size = _reduced(trace, event, samples)
        yield Term(event, how, size, weight)


def apart(trace: Trace, term: Term) -> Iterator[Term]:
    """What a sum or an average of one number per sample reduces, where that is several such numbers added up: a term
    for each of them."""
    given = term.reduced
    told = given is not None and given.rank == 1 and ops.is_a(term.event.op, "sums", "averages")
    parts = [one for one in _added(trace, given) if one[0].requires_grad] if given is not None and told else []
    for part, factor in parts if len(parts) > 1 else ((term.given, 1.0),):
        yield replace(term, weight=term.weight * factor, given=part)


def _added(trace: Trace, fact: TensorFact, factor: float = 1.0, depth: int = 8) -> Iterator[tuple[TensorFact, float]]:
    """The numbers per sample that are added up, each with its plain factor."""
    event = produced(trace, fact)
    given, op = (operands(event), event.op.rstrip("_")) if event is not None else ([], "")
    numbers = plain_numbers(event) if event is not None else []
    like = [part for part in given if part.shape == fact.shape]
    if depth and ops.is_a(op, "offsets") and len(like) == len(given) > 1 and not numbers:
        for part in given:
            yield from _added(trace, part, factor, depth - 1)
    elif depth and event is not None and ops.is_a(op, "scales") and like and len(given) == 1 and len(numbers) == 1:
        if numbers[0] and "reflected" not in event.flags:
            times = float(numbers[0]) if op == "mul" else 1 / float(numbers[0])
            yield from _added(trace, given[0], factor * times, depth - 1)
    else:
        yield fact, factor


def _count(trace: Trace, fact: TensorFact, depth: int = 6) -> bool:
    """Whether a number that nothing learns from counts what a mask lets through, or samples."""
    event = produced(trace, fact)
    if fact.requires_grad or fact.rank != 0 or event is None or not depth:
        return False
    if event.op in ("sum", "count_nonzero"):
        return True
    return event.op in PASSING and bool(event.given) and _count(trace, event.given[0], depth - 1)


def _of_samples(trace: Trace, fact: TensorFact, place: int, samples: frozenset[int], depth: int = 6) -> bool:
    """Whether an axis counts samples, or places within samples: merged with them, or picked by a mask."""
    axis = fact.axes[place]
    if counts_samples(axis, samples) or (len(axis.uids) > 1 and axis.uids[0][0] in samples):
        return True
    event = produced(trace, fact)
    if event is not None and ops.is_a(event.op, "elementwise", "pointwise") and depth:
        beside = (part for part in operands(event) if part.requires_grad and part.shape == fact.shape and part.axes)
        return any(_of_samples(trace, part, place, samples, depth - 1) for part in beside)
    masked = event is not None and ops.is_a(event.op, "selects") and len(event.given) == 2
    if not masked or place or event is None or event.given[1].dtype != "bool":
        return False
    base = event.given[0]
    return bool(base.axes) and counts_samples(base.axes[0], samples)


def _reduced(trace: Trace, event: Event, samples: frozenset[int]) -> tuple[str, int]:
    """How an event reduces the sample axis of its first operand, and that axis's size."""
    given = next(iter(operands(event)), None)
    if given is None or not given.axes:
        return "", 0
    if event.op in TARGET_LOSSES:
        how, dims = reduction(event), None
    elif event.op in REDUCING:
        how, dims = event.op.removeprefix("nan"), argument(event, 1, "dim")
    else:
        return "", 0
    gone = (
        range(given.rank) if dims is None else [d % given.rank for d in (dims if isinstance(dims, tuple) else (dims,))]
    )
    sizes = [given.axes[d].size for d in gone if _of_samples(trace, given, d, samples)]
    return ("mean" if how == "batchmean" else how, sizes[0]) if sizes and sizes[0] > 1 else ("", 0)


def of_samples(trace: Trace, fact: TensorFact, size: int, value: float) -> bool:
    """Whether a number is the first size of a tensor that others, of `size` numbers in all, were viewed from, and
    counts several of these at once."""
    before = ancestors(trace, fact, 20).values() if 1 < value < size else ()
    sizes = (part.sizes for event in before for part in operands(event) if part.sizes[:1] == (value,))
    return any(size in (math.prod(one), math.prod(one[:-1])) for one in sizes)
