"""Finds the overlap of a prediction and a target in a quotient: `2 * sum(p * t) / (sum(p) + sum(t))` in any form.

It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import lineage, operands, produced

THROUGH = frozenset({"add", "mul", "view", "reshape", "flatten", "clamp", "squeeze", "mean", "sub"})


def overlap(trace: Trace, event: Event) -> tuple[Event, TensorFact] | None:
    """The sum of the products in an overlap score that is computed from what learns, and the factor that does; `None`
    for any other quotient."""
    if len(operands(event)) != 2 or "reflected" in event.flags:
        return None
    above, below = operands(event)
    found = next((made for made in _sums(trace, above) if _product(trace, made)), None)
    product = produced(trace, operands(found)[0]) if found is not None and above.requires_grad else None
    if found is None or product is None:
        return None
    factors = {fact.producer: fact for fact in operands(product)}
    sizes = set().union(*(_terms(trace, fact) for made in _sums(trace, below) for fact in operands(made)[:1]), set())
    squares = {
        fact.producer
        for made in _sums(trace, below)
        for inner in [produced(trace, operands(made)[0])]
        if inner is not None and ops.is_a(inner.op, "multiplies", "powers")
        for fact in operands(inner)
    }
    learning = [fact for fact in factors.values() if fact.requires_grad]
    if len(factors) != 2 or len(learning) != 1 or not set(factors) <= sizes | squares:
        return None
    return found, learning[0]


def _sums(trace: Trace, fact: TensorFact) -> Iterator[Event]:
    """The sums behind a tensor, past additions and constant factors."""
    found = lineage(trace, fact, lambda e: operands(e) if e.op in THROUGH else ())
    return (made for made in found if made.op == "sum")


def _terms(trace: Trace, fact: TensorFact) -> set[int]:
    """The events of the terms of a sum, as in `(p + t - p * t).sum()`."""
    made = produced(trace, fact)
    if made is not None and ops.is_a(made.op, "offsets"):
        return set().union(*(_terms(trace, part) for part in operands(made)), set())
    return {fact.producer}


def _product(trace: Trace, event: Event) -> bool:
    """Whether a sum is one of products of two tensors."""
    made = produced(trace, operands(event)[0]) if operands(event) else None
    return made is not None and made.op == "mul" and len({fact.producer for fact in operands(made)}) == 2
