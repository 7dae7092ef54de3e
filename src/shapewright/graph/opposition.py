"""Which way each loss pulls what one network says of what another network made, as a discriminator of a generator.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, StepFact, TensorFact, Trace
from .flow import argument, once, operands, produced, tensors
from .ledger import ledger
from .signs import moved, sign_in_loss, step_in_loss
from .training import ancestors, losses, of_kind
from .twins import same

MOST = 80  # operators between a score and its loss
RISING = ops.named("logarithms", "exponentials", "activates", "rectifies") | (
    ops.named("extremes") & ops.named("pointwise")  # the lesser of two scores rises with both; not where it lies
)


@dataclass(frozen=True)
class Pull:
    """What the steps of `taught` lower grows (+1) or falls (-1) with what network `critic` says of an input that
    `makers` made, or in a way that cannot be told (0); `event` computes that loss of it, `passed` is its backward."""

    critic: int
    makers: frozenset[int]
    taught: frozenset[int]
    sign: int
    event: Event
    passed: StepFact


def pulls(trace: Trace) -> Iterator[Pull]:
    """Every such pull whose direction can be told; an input that no network made has no makers."""
    return (pull for pull in judged(trace) if pull.sign)


def judged(trace: Trace) -> Iterator[Pull]:
    """Every such pull."""
    book = ledger(trace)
    said: list[tuple[int, frozenset[int], list[Event]]] = []
    for call in of_kind(trace, "forward"):
        own = book.networks.get(call.data["module"], frozenset())
        given = [fact for fact in tensors((call.data["args"], call.data["kwargs"])) if fact.shape is not None]
        answered = (trace.event(fact.producer) for fact in tensors(call.data["result"]))
        told = [event for event in answered if event is not None]
        if own and told:
            makers = frozenset().union(*(book.sources(fact) for fact in given)) - own
            said.append((call.data["module"], makers, told))
    if not said:
        return
    step = with_losses(trace)
    for backward, loss, turn in moved(trace):
        taught, before = book.taught(backward), ancestors(trace, loss)
        for critic, makers, told in said:
            for event in (event for event in told if event.index in before):
                sign = sign_in_loss(trace, event, frozenset({loss.producer}), MOST, MOST, step)
                yield Pull(critic, makers, taught, sign * turn, _term(trace, loss, event), backward)


def contradicted(trace: Trace) -> Iterator[tuple[Event, Event]]:
    """Two losses of one pass, or of passes that teach the same, that want one number of the very scores of which the
    other wants another: a network is taught both of the same samples."""
    book = ledger(trace)
    found: list[tuple[Event, TensorFact, float, frozenset[int]]] = []
    for backward, loss in losses(trace):
        taught = book.taught(backward)
        for event in ancestors(trace, loss).values() if taught else ():
            if ops.is_a(event.op, "binary", "measures_error") and event.site is not None:
                score, number = argument(event, 0, "input"), _wanted(trace, event)
                if number is not None and isinstance(score, TensorFact) and book.learners(score):
                    found += [(event, score, number, taught)] if book.learners(score) <= taught else []
    for (first, one, low, taught), (second, other, high, also) in itertools.combinations(found, 2):
        apart = low != high and first.iteration == second.iteration and taught == also
        if apart and same(trace, one, other):
            yield (first, second) if first.index < second.index else (second, first)


def with_losses(trace: Trace) -> Callable[[Event, int], int]:
    """The sign by which each operator hands an operand on (see `sign_in_loss`): one that rises with it and a loss with
    one target for all among them."""
    return functools.partial(_step, trace, _least(trace))


def _step(trace: Trace, least: float, user: Event, index: int) -> int:
    """The sign by which an operator hands an operand on: one that rises with it, a sum, a factor, or such a loss."""
    return 1 if user.op.rstrip("_") in RISING else step_in_loss(user, index) or _against(trace, least, user, index)


def _against(trace: Trace, least: float, user: Event, index: int) -> int:
    """The sign with which a loss takes a score that it compares with nothing but zeros, or nothing but ones."""
    score, target = argument(user, 0, "input"), argument(user, 1, "target")
    if not (ops.is_a(user.op, "binary", "measures_error") and isinstance(target, TensorFact)):
        return 0
    wanted = _wanted(trace, user)
    if not isinstance(score, TensorFact) or score.producer != index or wanted is None:
        return 0
    if ops.is_a(user.op, "binary"):
        return -1 if wanted > 0.5 else 1 if wanted < 0.5 else 0
    return 1 if wanted <= least else -1


def _wanted(trace: Trace, loss: Event) -> float | None:
    """The one number that all targets of a loss are: as they were kept, or as they were made."""
    kept = next((value for index, _, value in trace.data.targets if index == loss.index), None)
    target = argument(loss, 1, "target")
    return kept if kept is not None or not isinstance(target, TensorFact) else constant(trace, target)


def _least(trace: Trace) -> float:
    """The least number that a regression of the run wants of all samples: one network's scores are pulled towards
    several, such as -1 and 1, or 0 and 1, and what lies between lies above it."""
    wanted = (_wanted(trace, event) for event in trace.events if ops.is_a(event.op, "measures_error"))
    return min((value for value in wanted if value is not None), default=0.0)


def constant(trace: Trace, fact: TensorFact) -> float | None:
    """The number that a tensor was filled with."""
    for _ in range(8):
        made = produced(trace, fact)
        if made is None:
            return None
        op, parts = made.op.rstrip("_"), operands(made)
        if op == "fill" or ops.is_a(op, "fills_given"):
            numbers = [part for part in (*made.args[1:], *made.kwargs.values()) if isinstance(part, (int, float))]
            return float(numbers[0]) if numbers else None
        if ops.is_a(op, "fills_constant"):
            return 1.0 if ops.is_a(op, "fills_ones") else 0.0 if "zeros" in op else None
        if not parts or not ops.is_a(op, "keeps_values"):
            return None
        fact = parts[0]
    return None


def _term(trace: Trace, loss: TensorFact, event: Event) -> Event:
    """The event that made the term of a loss in which the result of `event` is."""
    made, lines = trace.events[loss.producer], _lines(trace)
    for _ in range(12):
        if not ops.is_a(made.op, "adds", "scales") or made.index <= event.index:
            break
        inner = [part for part in operands(made) if part.producer == event.index or event.index in lines(part)]
        if len(inner) != 1 or inner[0].producer <= event.index:
            break
        made = trace.events[inner[0].producer]
    return made


@once
def _lines(trace: Trace) -> Callable[[TensorFact], frozenset[int]]:
    """The events that an operand was computed from; the terms of one loss are asked of for every score."""
    known: dict[int, frozenset[int]] = {}

    def before(fact: TensorFact) -> frozenset[int]:
        if fact.producer not in known:
            known[fact.producer] = frozenset(ancestors(trace, fact))
        return known[fact.producer]

    return before
