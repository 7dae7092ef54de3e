"""What layers are given that was drawn at random: from which distribution, in training and afterwards.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import SAME_VALUES, consumers, operands, plain_numbers, produced
from .training import all_before, learned

NORMAL = ops.named("draws_normal") | {"normal_"}
UNIFORM = frozenset({"rand", "rand_like", "uniform_"})
JOINING = frozenset({"cat", "concat", "concatenate", "hstack"})
DEEP = 10


class Draw(NamedTuple):
    """What an input holds of a draw: its family, the ends of a uniform one as they came in, and what made it; `alone`
    where nothing but plain numbers was done to it, `learned` where what carries gradients was."""

    family: str
    low: float
    high: float
    event: Event
    alone: bool
    learned: bool


class Read(NamedTuple):
    """A layer's call and the draws that are in what it is given, by the parts that were joined; `trains` where a loss
    that is learned from was computed from it."""

    event: Event
    parts: tuple[tuple[Draw, ...], ...]
    trains: bool


def reads(trace: Trace) -> Iterator[list[Read]]:
    """Layer by layer, the calls of each that takes its input as it was drawn, in one of them at least."""
    found: dict[tuple[object, ...], list[tuple[Event, TensorFact]]] = defaultdict(list)
    for event in trace.events:
        weights = [fact for fact in operands(event) if fact.kind == "parameter"]
        given = next((fact for fact in operands(event) if not fact.is_held), None)
        if weights and given is not None and given.rank > 0 and not ops.is_a(event.op, "fills", "writes"):
            found[event.modules[-1:], weights[0].uid].append((event, given))
    trained = all_before(trace, learned(trace)) if found else set()
    for calls in found.values():
        told = [Read(event, tuple(_parts(trace, given)), event.index in trained) for event, given in calls]
        if any(part for read in told for part in read.parts):
            yield told


def compared(trace: Trace, draw: Event) -> bool:
    """Whether a draw is what some outputs that learn are held against."""
    return any(
        ops.is_a(user.op, "subtracts", "regresses") and any(fact.requires_grad for fact in operands(user))
        for user in (draw, *consumers(trace, draw.index))
        for user in consumers(trace, user.index)
    )


def _parts(trace: Trace, fact: TensorFact) -> Iterator[tuple[Draw, ...]]:
    made = produced(trace, fact)
    while made is not None and made.op.rstrip("_") in SAME_VALUES and operands(made):
        fact = operands(made)[0]
        made = produced(trace, fact)
    for part in operands(made) if made is not None and made.op in JOINING else [fact]:
        yield tuple(_draws(trace, part, DEEP))


def _draws(trace: Trace, fact: TensorFact, deep: int, scale: float = 1.0, shift: float = 0.0) -> Iterator[Draw]:
    """The draws of one value a place that are in a tensor, and how they are scaled in it."""
    made = produced(trace, fact)
    if made is None or not deep:
        return
    op, given, size = made.op.rstrip("_"), operands(made), math.prod(fact.sizes)
    if made.op in NORMAL and not any(part.rank > 0 for part in given[made.op.endswith(("_", "like")) :]):
        yield Draw("normal", shift, shift, made, True, False)
    elif made.op in UNIFORM:
        low, high = (*plain_numbers(made), 0.0, 1.0)[:2] if made.op == "uniform_" and plain_numbers(made) else (0, 1)
        ends = sorted((low * scale + shift, high * scale + shift))
        yield Draw("uniform", ends[0], ends[1], made, True, False)
    elif op in SAME_VALUES or ops.is_a(op, "clamps"):
        yield from _draws(trace, given[0], deep - 1, scale, shift) if given else ()
    elif ops.is_a(op, "scales", "offsets") and len(given) == 1 and len(plain_numbers(made)) == 1:
        number = plain_numbers(made)[0]
        swapped = "reflected" in made.flags
        if ops.is_a(op, "scales"):
            if not number or (swapped and op != "mul"):
                return
            yield from _draws(trace, given[0], deep - 1, scale * (number if op == "mul" else 1 / number), shift)
        elif ops.is_a(op, "subtracts"):
            sign = -1 if swapped else 1
            yield from _draws(trace, given[0], deep - 1, sign * scale, shift - sign * scale * number)
        else:
            yield from _draws(trace, given[0], deep - 1, scale, shift + scale * number)
    elif ops.is_a(op, "scales", "offsets") and len(given) == 2:
        for part, other in (given, given[::-1]):
            for draw in _draws(trace, part, deep - 1, scale, shift) if math.prod(part.sizes) == size else ():
                yield draw._replace(alone=False, learned=draw.learned or other.requires_grad)
