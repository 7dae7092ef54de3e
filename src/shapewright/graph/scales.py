"""Scales that a loss has no minimum in: it grows, or falls, both with what they multiply and with their logarithm.

A normalizing flow, a Gaussian likelihood: the error of `x * exp(s)` keeps `s` from rising, and `s` itself, with the
opposite sign, keeps it from sinking. Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .bootstrap import squares
from .flow import consumers, operands, plain_numbers, produced
from .signs import loss_events, positive, sign_in_loss, step_in_loss
from .training import ancestors, descendants

FAR = 400  # events behind a product


def unbounded(trace: Trace) -> Iterator[tuple[Event, Event, int, bool]]:
    """`(scale, meeting, sign, second)`: the exponential or logarithm, the sum or difference in which its error and its
    logarithm come together, 1 where the loss grows with the scale, -1 where it falls, and whether the logarithm is its
    second operand."""
    ends = loss_events(trace)
    found: list[tuple[Event, tuple[Event, bool], int, int]] = []
    held: set[int] = set()  # logarithms whose scale something keeps
    for event in trace.events:
        if event.site is None or "grad" not in event.flags or not operands(event):
            continue
        if ops.is_a(event.op, "exponentials"):
            plain = _logarithm(trace, event, ends)
            users = [(user, event.index) for user in consumers(trace, event.index)]
        elif ops.is_a(event.op, "logarithms"):
            plain = (event, sign_in_loss(trace, event, ends))
            made = operands(event)[0].producer
            users = [(user, made) for user in consumers(trace, made) if user.index != event.index and made >= 0]
        else:
            continue
        if plain is None or not plain[1]:
            continue
        for user, index in users:
            error = _error(trace, user, index, ends)
            if error is None or error[1] != plain[1]:
                held.add(plain[0].index)  # also what cannot be told
            elif (met := _meeting(trace, plain[0], error[0])) is not None:
                found.append((event, met, plain[1], plain[0].index))
    for event, (meeting, second), sign, own in found:
        if own not in held:
            yield event, meeting, sign, second


def _logarithm(trace: Trace, event: Event, ends: frozenset[int]) -> tuple[Event, int] | None:
    """What an exponential was taken of, or what that was made of by plain factors, as far as it enters the loss as it
    is, with the sign of the exponential's logarithm there."""
    fact, turn = operands(event)[0], 1
    for _ in range(4):
        made = produced(trace, fact)
        if made is None:
            return None
        sign = sign_in_loss(trace, made, ends)
        if sign:
            return made, sign * turn
        if not ops.is_a(made.op, "scales", "negates", "cuts") or len(operands(made)) != 1:
            return None
        fact, turn = operands(made)[0], turn * (step_in_loss(made, operands(made)[0].producer) or 1)
    return None


def _error(trace: Trace, user: Event, index: int, ends: frozenset[int]) -> tuple[Event, int] | None:
    """The error that is multiplied with a scale, or divided by it, with the sign by which the loss grows with the
    scale."""
    others = [fact for fact in operands(user) if fact.producer != index]
    if not ops.is_a(user.op, "scales") or len(others) != 1 or plain_numbers(user):
        return None
    divided = ops.is_a(user.op, "divides")
    turn = -1 if divided and operands(user)[0].producer != index else 1
    if divided and turn > 0:
        return None
    made = produced(trace, others[0])
    if positive(trace, others[0]) or (made is not None and squares(made)):
        return (user, turn * sign) if (sign := sign_in_loss(trace, user, ends)) else None
    for event in descendants(trace, [TensorFact(producer=user.index)], FAR).values():
        if squares(event) and event.site is not None and (sign := sign_in_loss(trace, event, ends)):
            return (event, turn) if sign > 0 else None
    return None


def _meeting(trace: Trace, plain: Event, error: Event) -> tuple[Event, bool] | None:
    """The first sum or difference of what came from both, and whether `plain` is behind its second operand."""
    for event in descendants(trace, [TensorFact(producer=plain.index)], FAR).values():
        given = operands(event)
        if ops.is_a(event.op, "adds", "subtracts") and len(given) == 2 and event.site is not None:
            sides = [ancestors(trace, fact) for fact in given]
            own = [plain.index in side for side in sides]
            other = [error.index in side for side in sides]
            if any(a and not b and d for a, b, d in ((own[0], other[0], other[1]), (own[1], other[1], other[0]))):
                return event, own[1] and not other[1]
    return None
