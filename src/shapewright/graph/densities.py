"""The log-densities of samples that are squashed afterwards (`a = tanh(u)`), and the term that the change of variables
adds to them, told from what the term is as a function of the sample.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import SAME_VALUES, consumers, forward, operands, plain_numbers, produced
from .signs import step_in_loss

AT = (-1.7, -0.8, 0.3, 1.1)
NEAR = 0.02  # what is added against a logarithm of nothing moves the term by less
FAR, DEEP = 10, 24
ALONE: dict[str, Callable[[float], float]] = {
    "neg": lambda u: -u,
    "exp": math.exp,
    "log": math.log,
    "log1p": math.log1p,
    "tanh": math.tanh,
    "sqrt": math.sqrt,
    "square": lambda u: u * u,
    "sigmoid": lambda u: 1 / (1 + math.exp(-u)),
    "softplus": lambda u: math.log1p(math.exp(u)),
    "logsigmoid": lambda u: -math.log1p(math.exp(-u)),
}
SHAPING = SAME_VALUES | {"sum", "mean", "unsqueeze", "squeeze", "view", "reshape", "flatten"}


def squashed(trace: Trace) -> Iterator[tuple[Event, Event, int, bool]]:
    """`(squash, meeting, sign, second)`: where the log-density of a sample is added to the logarithm of the slope by
    which the sample is squashed, 1 where both have the same sign there, and whether the slope is the second operand."""
    asked: set[int] = set()
    for squash in trace.events:
        if not ops.is_a(squash.op, "squashes") or not operands(squash) or operands(squash)[0].producer in asked:
            continue
        sample = operands(squash)[0]
        asked.add(sample.producer)
        slopes = [_slope(trace, squash, sample, u) for u in AT]
        for square, sign in _densities(trace, sample):
            met = _meeting(trace, square, sign, sample, slopes) if None not in slopes else None
            if met is not None:
                yield squash, *met
                break


def _densities(trace: Trace, sample: TensorFact) -> Iterator[tuple[Event, int]]:
    """The squares of what a sample is off from something by."""
    for user in consumers(trace, sample.producer):
        if ops.is_a(user.op, "subtracts") and len(operands(user)) == 2:
            for square in forward(trace, user, frozenset({"div", "mul", "true_divide"}), 3):
                if ops.is_a(square.op, "powers") and (square.op == "square" or plain_numbers(square) == [2]):
                    yield square, 1


def _meeting(
    trace: Trace, event: Event, sign: int, sample: TensorFact, slopes: list[float | None]
) -> tuple[Event, int, bool] | None:
    """Where what comes of the square is first added to a function of the sample that is the logarithm of the slope."""
    for _ in range(FAR):
        users = [user for user in consumers(trace, event.index) if user.op.rstrip("_") not in ("eq", "gt", "lt")]
        for user in users:
            others = [fact for fact in operands(user) if fact.producer != event.index]
            if ops.is_a(user.op, "offsets") and len(others) == 1:
                values = [value(trace, _unsummed(trace, others[0]), sample, u) for u in AT]
                alike = _alike(values, slopes)
                if alike:
                    turned = step_in_loss(user, others[0].producer) * step_in_loss(user, event.index) * alike
                    return user, -turned * sign, operands(user)[-1].producer == others[0].producer
        one = next((user for user in users if _handed(user, event.index)), None)
        if one is None:
            return None
        sign, event = sign * _handed(one, event.index), one
    return None


def _handed(user: Event, index: int) -> int:
    """The sign by which an operator hands on what is divided by a variance, added to a constant, summed."""
    first = operands(user)[:1]
    if ops.is_a(user.op, "scales") and first and first[0].producer == index and len(operands(user)) == 2:
        return 1
    sign = step_in_loss(user, index)
    return sign or (1 if user.op in SHAPING else 0)


def _alike(values: list[float | None], slopes: list[float | None]) -> int:
    """1 where values are those of the slope's logarithm but for a constant, -1 where they are its negative, else 0."""
    if None in values or None in slopes:
        return 0
    own = [one - values[0] for one in values if one is not None and values[0] is not None]
    logs = [math.log(abs(one)) for one in slopes if one]
    if len(logs) != len(own):
        return 0
    wanted = [one - logs[0] for one in logs]
    for sign in (1, -1):
        if all(abs(one - sign * other) < NEAR for one, other in zip(own, wanted)):
            return sign
    return 0


def _slope(trace: Trace, squash: Event, sample: TensorFact, at: float, step: float = 1e-4) -> float | None:
    """How fast what is made of a sample changes with it."""
    made = squash.result
    if not isinstance(made, TensorFact):
        return None
    low, high = (value(trace, made, sample, at + way * step) for way in (-1, 1))
    return None if low is None or high is None else (high - low) / (2 * step)


def _unsummed(trace: Trace, fact: TensorFact) -> TensorFact:
    """What a tensor is the sum of, or the same as in another form."""
    for _ in range(4):
        made = produced(trace, fact)
        if made is None or made.op not in SHAPING or not operands(made):
            break
        fact = operands(made)[0]
    return fact


def value(trace: Trace, fact: TensorFact, sample: TensorFact, at: float, deep: int = DEEP) -> float | None:
    """What a tensor is at a place where the sample is `at`, if it depends on the sample's own place alone; one number
    that nothing learns counts as 1."""
    if fact.producer == sample.producer and fact.uid == sample.uid:
        return at
    made = produced(trace, fact)
    if made is None or not deep or not operands(made):
        return 1.0 if not fact.requires_grad and math.prod(fact.shape or ()) == 1 else None
    given = [value(trace, one, sample, at, deep - 1) for one in operands(made)]
    try:
        return _applied(made, [one for one in given if one is not None]) if None not in given else None
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def _applied(event: Event, given: list[float]) -> float | None:
    op, numbers = event.op.rstrip("_"), [float(one) for one in plain_numbers(event)]
    first = given[0]
    if op in SAME_VALUES or ops.is_a(op, "clamps"):
        return first
    alone = ALONE.get(op)
    if alone is not None:
        return alone(first) if len(given) == 1 else None
    both = [*given, *numbers]
    if len(both) != 2:
        return None
    one, two = reversed(both) if "reflected" in event.flags or op == "rsub" else both
    if op == "pow":
        return float(one**two)
    if ops.is_a(op, "subtracts"):
        return one - two
    if ops.is_a(op, "divides"):
        return one / two
    if ops.is_a(op, "multiplies"):
        return one * two
    return one + two if ops.is_a(op, "adds") else None
