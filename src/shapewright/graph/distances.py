"""Whether two sides that a loss compares are distances, of which less is better, and what a constant target says of
their order. Pure: it reads a `Trace` and judges nothing."""

from __future__ import annotations

from .. import ops
from ..trace import Event, TensorFact, Trace
from .bootstrap import squares
from .flow import maker, operands, produced
from .training import ancestors

DISTANCES = ops.named("measures", "distances", "measures_error") | {"sqrt", "sqrt_"}


def constant_sign(trace: Trace, target: object) -> int:
    """The sign of a constant target, 0 where it is not known."""
    made = produced(trace, target) if isinstance(target, TensorFact) else None
    if made is None:
        return 0
    if ops.is_a(made.op, "fills_ones"):
        return 1
    if ops.is_a(made.op, "fills_given"):
        numbers = [part for part in (*made.args[1:], *made.kwargs.values()) if type(part) in (int, float)]
        value = numbers[0] if numbers else 0
        return (value > 0) - (value < 0)
    if ops.is_a(made.op, "takes_data") and made.args:
        given = made.args[0] if isinstance(made.args[0], tuple) else made.args[:1]
        signs = {(part > 0) - (part < 0) for part in given if isinstance(part, (int, float))}
        return signs.pop() if len(signs) == 1 else 0
    inner = operands(made)
    if made.op == "neg" and inner:
        return -constant_sign(trace, inner[0])
    if made.op == "mul" and len(inner) == 1:
        factor = next((part for part in made.args if isinstance(part, (int, float))), 0)
        return ((factor > 0) - (factor < 0)) * constant_sign(trace, inner[0])
    if ops.is_a(made.op, "keeps_values") and inner:
        return constant_sign(trace, inner[0])
    return 0


def more_is_better(trace: Trace, *pair: TensorFact) -> int:
    """1 where more is better for two sides, -1 where both are norms of differences, as they were computed, and 0 where
    either is another distance."""

    def same(event: Event) -> bool:
        return ops.is_a(event.op, "keeps_values", "reshapes") or (event.op == "add" and len(operands(event)) == 1)

    norms = [maker(trace, one, same) for one in pair]
    parts = [_apart(trace, made) if made is not None and ops.is_a(made.op, "measures") else None for made in norms]
    if all(part is not None and len(operands(part)) == 2 for part in parts):
        return -1
    return 0 if any(is_distance(trace, one) for one in pair) else 1


def _apart(trace: Trace, event: Event) -> Event | None:
    """The difference of which an operator takes the norm, the square or the amount."""
    given = operands(event)
    made = produced(trace, given[0]) if given else None
    return made if made is not None and ops.is_a(made.op, "subtracts") else None


def is_distance(trace: Trace, fact: TensorFact) -> bool:
    """Whether a value is a distance by the way it is computed: then less is better."""
    near = last_calls(trace, fact).values()
    return any(one.op in DISTANCES or (squares(one) and _apart(trace, one) is not None) for one in near)


def last_calls(trace: Trace, fact: TensorFact) -> dict[str, Event]:
    """The last calls behind a value, one of each operator."""
    behind = ancestors(trace, fact, 60)
    return {behind[index].op: behind[index] for index in sorted(behind)[-12:]}
