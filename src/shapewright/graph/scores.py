"""Scores of pairs of learned vectors, as of a word with a word beside it and with words drawn at random, and which way
a loss pulls them. Pure: it reads a `Trace` and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import POINTWISE, SAME_VALUES, consumers, operands, result_shape, root
from .opposition import MOST, with_losses
from .signs import lowered, sign_in_loss, turned
from .training import ancestors

CONTRACTS = ops.named("products") & ops.named("contracts")
LOGS = ops.named("log_sigmoids")


def pulled_alike(trace: Trace) -> Iterator[tuple[Event, Event]]:
    """`(first, last)` scores of one vector with several others that a loss pulls the same way, all that it reads: it
    falls as each of them grows."""
    step = with_losses(trace)
    for _, loss in lowered(trace):
        made = ancestors(trace, loss)
        scores = [event for _, event in sorted(made.items()) if _pair(trace, event)]
        if len(scores) < 2 or not all(_judged(trace, event, made) for event in scores):
            continue
        signs = [_pull(trace, event, loss, step) for event in scores]
        shared = set.intersection(*(_sides(trace, event) for event in scores))
        if shared and all(sign < 0 for sign in signs):
            yield scores[0], scores[-1]


def _pair(trace: Trace, event: Event) -> bool:
    """Whether an event sums the products of two learned vectors."""
    given = operands(event)
    if len(given) != 2 or not all(
        fact.requires_grad and fact.producer >= 0 and fact.kind == "tensor" for fact in given
    ):
        return False
    if event.op in CONTRACTS:
        return True
    shape = result_shape(event)
    return event.op == "mul" and any(
        ops.is_a(user.op, "totals") and result_shape(user) != shape for user in consumers(trace, event.index)
    )


def _judged(trace: Trace, event: Event, made: dict[int, Event]) -> bool:
    """Whether a score is taken for the logit of a probability whose logarithm the loss reads."""
    current, squashed = [event], False
    for _ in range(8):
        users = [user for one in current for user in consumers(trace, one.index) if user.index in made]
        if any(user.op in LOGS for user in users):
            return True
        if squashed and any(ops.is_a(user.op, "logarithms") for user in users):
            return True
        squashed |= any(user.op == "sigmoid" for user in users)
        current = [user for user in users if user.op in POINTWISE | SAME_VALUES or ops.is_a(user.op, "totals")]
    return False


def _pull(trace: Trace, event: Event, loss: TensorFact, step: object) -> int:
    """The sign with which a loss grows with the products of two vectors, a minus before either counted."""
    sign = sign_in_loss(trace, event, frozenset({loss.producer}), MOST, MOST, step)  # type: ignore[arg-type]
    for fact in operands(event):
        sign *= turned(trace, root(trace, fact, lambda one: one.op.rstrip("_") in SAME_VALUES))
    return sign


def _sides(trace: Trace, event: Event) -> set[int]:
    """The vectors that a score is of, by their identities."""
    through = SAME_VALUES | {"neg"}
    return {root(trace, fact, lambda one: one.op.rstrip("_") in through).uid for fact in operands(event)}
