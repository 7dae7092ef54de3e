"""Sums of a batch and of its own rows in another order, each weighted, as where inputs or targets are mixed: what put
the rows in order, and by what both are weighted. Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import argument, operands, plain_numbers, produced
from .training import ancestors

Weight = tuple[str, float]  # a number, or a tensor by its uid, or one minus it
SAME, APART = 1e-6, 1e-3


def other_sample(trace: Trace, blend: Event) -> Event | None:
    """What put the rows of the one side in another order, where a sum is one of a tensor and of its own rows, each
    weighted."""
    sides = [produced(trace, fact) for fact in operands(blend)]
    if len(sides) != 2 or any(one is None or one.op != "mul" for one in sides):
        return None
    parts = [fact for one in sides if one is not None for fact in operands(one) if fact.shape == blend.given[0].shape]
    for fact, other in (parts, parts[::-1]) if len(parts) == 2 else ():
        made = produced(trace, fact)
        whole = operands(made)[0] if made is not None and ops.is_a(made.op, "picks", "orders_rows") else None
        if made is not None and whole is not None and whole.uid == other.uid and other.shape == fact.shape:
            return made
    return None


def turned_by(event: Event) -> tuple[object, ...]:
    """What an order was taken from: the places, or how rows are turned."""
    rest = operands(event)[1:]
    return (event.op, *(fact.uid for fact in rest)) if rest else (event.op, repr(event.args[1:]), repr(event.kwargs))


def weights(trace: Trace, blend: Event, picked: Event) -> tuple[Weight, Weight] | None:
    """The weights of the rows as they were and of those that `picked` put in another order, in a sum of both or of the
    losses of both."""
    found: dict[bool, Weight] = {}
    for side in (produced(trace, fact) for fact in operands(blend)):
        given = operands(side) if side is not None and side.op == "mul" else []
        whole = [fact for fact in given if fact.requires_grad] or [
            fact for fact in given if fact.shape == blend.given[0].shape
        ]
        weight = _weight(trace, side, whole[0]) if side is not None and len(whole) == 1 else None
        if weight is None:
            return None
        found[_turned(trace, whole[0], picked)] = weight
    return (found[False], found[True]) if len(found) == 2 else None


def _turned(trace: Trace, fact: TensorFact, picked: Event) -> bool:
    """Whether a tensor, or the targets of a loss, are those of the rows that were put in another order."""
    made = ancestors(trace, fact)
    if fact.requires_grad:
        asked = [one for one in made.values() if ops.is_a(one.op, "targets", "classifies")]
        targets = [argument(one, 1, "target") for one in asked]
        made = {at: one for target in targets for at, one in ancestors(trace, target).items()}
    return any(one.index == picked.index or _like(one, picked) for one in made.values())


def _like(one: Event, picked: Event) -> bool:
    return ops.is_a(one.op, "picks", "orders_rows") and bool(operands(one)) and turned_by(one) == turned_by(picked)


def _weight(trace: Trace, product: Event, fact: TensorFact) -> Weight | None:
    """What a tensor is multiplied by."""
    others = [one for one in operands(product) if one.uid != fact.uid]
    if not others:
        numbers = plain_numbers(product)
        return ("", float(numbers[0])) if len(numbers) == 1 else None
    return _named(trace, others[0]) if len(others) == 1 else None


def _named(trace: Trace, fact: TensorFact) -> Weight:
    """A tensor of weights whatever its shape, and one minus it as such."""
    for _ in range(4):
        made = produced(trace, fact)
        if made is None or not operands(made):
            break
        if ops.is_a(made.op, "reshapes", "brackets", "casts") and len(operands(made)) == 1:
            fact = operands(made)[0]
        elif ops.is_a(made.op, "subtracts") and len(operands(made)) == 1 and plain_numbers(made) == [1]:
            return "rest", float(operands(made)[0].uid)
        else:
            break
    return "of", float(fact.uid)


def exchanged(one: tuple[Weight, Weight], other: tuple[Weight, Weight]) -> bool:
    """Whether two pairs of weights are the same, in the other order, and not both of one size."""

    def same(a: Weight, b: Weight) -> bool:
        return a[0] == b[0] and abs(a[1] - b[1]) <= SAME

    apart = one[0][0] != one[1][0] or abs(one[0][1] - one[1][1]) > APART
    return apart and same(one[0], other[1]) and same(one[1], other[0])
