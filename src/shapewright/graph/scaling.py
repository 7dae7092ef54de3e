"""Numbers that a tensor was multiplied by on its way, such as a temperature.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import consumers, operands, plain_numbers, produced


def factor(event: Event) -> float | None:
    """The plain number by which an operator multiplies its only tensor; 1 where it keeps the values, `None` where it
    does anything else."""
    if len(operands(event)) != 1 or event.op.endswith("_"):
        return None
    if ops.is_a(event.op, "keeps_values") and ops.is_a(event.op, "casts", "cuts"):
        return 1.0
    if not ops.is_a(event.op, "scales") or "reflected" in event.flags:
        return None
    numbers = plain_numbers(event)
    if len(numbers) != 1 or len(event.args) != 2 or not numbers[0]:
        return None
    return 1 / numbers[0] if ops.is_a(event.op, "divides") else numbers[0]


def unscaled(trace: Trace, fact: TensorFact) -> tuple[float, TensorFact]:
    """The number that a tensor was multiplied by, and the tensor as it was before."""
    whole = 1.0
    while (event := produced(trace, fact)) is not None and (own := factor(event)) is not None:
        whole, fact = whole * own, operands(event)[0]
    return whole, fact


def scaled_later(trace: Trace, event: Event) -> Iterator[float]:
    """The numbers that a result is multiplied by, all up to each operator, while nothing else reads it."""
    whole = 1.0
    while len(users := consumers(trace, event.index)) == 1 and (own := factor(users[0])) is not None:
        whole, event = whole * own, users[0]
        yield whole
