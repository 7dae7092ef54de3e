"""How two factors depend on one number that both were computed from: `sqrt(u)` and `1 - u`, however they were written.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import SAME_VALUES, operands, plain_numbers, produced, which

AT = (0.2, 0.5, 0.8)
LONGEST = 24
Formula = Callable[[float], float]


def shares(trace: Trace, one: TensorFact, other: TensorFact) -> tuple[Event | None, list[tuple[float, float]]]:
    """What made the nearest tensor that two come from by functions of one value a place, and what the two are where it
    is each of `AT`; empty where there is none."""
    behind = {which(fact): formula for fact, formula in reversed(list(_formulas(trace, other)))}
    for fact, formula in _formulas(trace, one):
        if which(fact) in behind:
            try:
                return produced(trace, fact), [(formula(u), behind[which(fact)](u)) for u in AT]
            except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                return None, []
    return None, []


def _formulas(trace: Trace, fact: TensorFact) -> Iterator[tuple[TensorFact, Formula]]:
    """A tensor and those that it comes from, nearest first, each with how to compute the first from it."""

    def same(u: float) -> float:
        return u

    whole: Formula = same
    for _ in range(LONGEST):
        yield fact, whole
        made = produced(trace, fact)
        step = _function(made) if made is not None else None
        if made is None or step is None:
            return
        fact, whole = operands(made)[0], _after(whole, step)


def _after(outer: Formula, inner: Formula) -> Formula:
    return lambda u: outer(inner(u))


def _function(event: Event) -> Formula | None:
    """What an operator does to each value of its first tensor; `None` where that is no function of this value alone."""
    numbers = plain_numbers(event)
    if event.op.rstrip("_") in SAME_VALUES and event.given:
        return lambda u: u
    if len(event.given) != 1:
        return None
    if event.op in ("sqrt", "rsqrt", "square"):
        power = {"sqrt": 0.5, "rsqrt": -0.5, "square": 2.0}[event.op]
        return lambda u: u**power
    if len(numbers) != 1 or len(event.args) != 2:
        return None
    number, turned = numbers[0], "reflected" in event.flags or event.op == "rsub"
    if event.op == "pow" and not turned:
        return lambda u: u**number
    if ops.is_a(event.op, "subtracts"):
        return (lambda u: number - u) if turned else (lambda u: u - number)
    if event.op == "mul":
        return lambda u: u * number
    if event.op in ("div", "true_divide") and not turned:
        return lambda u: u / number
    return (lambda u: u + number) if event.op == "add" else None
