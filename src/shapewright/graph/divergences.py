"""Divergences of normal distributions, known by their form. Pure: it reads a `Trace`. It judges nothing."""

from __future__ import annotations

from .. import ops
from ..trace import TensorFact, Trace
from .flow import lineage, operands

NEAR = 14  # events before the term


def beside_its_exponential(trace: Trace, given: TensorFact) -> bool:
    """Whether a number and its own exponential, or logarithm, are added up in what a tensor was computed from."""
    near = list(lineage(trace, given, operands, NEAR))
    beside = {fact.uid for event in near if ops.is_a(event.op, "offsets") for fact in operands(event)}
    made = (event for event in near if ops.is_a(event.op, "exponentials", "logarithms"))
    pairs = ((event.result.uid, operands(event)[0].uid) for event in made if isinstance(event.result, TensorFact))
    return any(beside.issuperset(pair) for pair in pairs)
