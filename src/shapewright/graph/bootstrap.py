"""Finds bootstrap targets: data plus a factor times what a network gave, compared with what a network gives.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, Site, TensorFact, Trace
from .flow import REGRESSION_LOSSES, RESHAPING, argument, consumers, operands, produced, reduced_to_scalar, tensors
from .ledger import ledger
from .training import ancestors, of_kind

PASSED = RESHAPING | {"detach", "data", "clone", "float", "to", "stack", "cat", "clamp", "double", "view_as", "mean"}
SUMS = ops.named("offsets")
PRODUCTS = frozenset({"mul", "mul_", "div", "where", "masked_fill"})
BEST = frozenset({"max", "amax", "argmax", "logsumexp", "topk"})
WRITES = frozenset({"setitem", "masked_fill_", "index_put_", "masked_scatter_"})
MASKS = WRITES | {"masked_fill", "where"}
POWERS = ops.named("powers", "magnitudes")


@dataclass(frozen=True)
class Bootstrap:
    """`loss` compares `value`, a network's, with `target`, which `made` adds up: data, and `ahead`, a network's."""

    loss: Event
    value: TensorFact
    target: TensorFact
    made: Event
    ahead: TensorFact


def compared(trace: Trace) -> Iterator[tuple[Event, TensorFact, TensorFact]]:
    """`(event, value, target)` of every comparison of what learns, squared or in a loss of its own; both ways round
    where both sides learn."""
    book = ledger(trace)
    for event in trace.events:
        if event.site is None or not (event.op in REGRESSION_LOSSES or event.op == "sub"):
            continue
        if event.op != "sub":
            given = [argument(event, 0, "input"), argument(event, 1, "target")]
            sides = [side for side in given if isinstance(side, TensorFact)]
        else:
            sides = operands(event)[:2] if _squared(trace, event) else []
        if len(sides) == 2:
            pairs = (sides, sides[::-1])
            yield from ((event, one, other) for one, other in pairs if one.requires_grad and book.learners(one))


def bootstraps(trace: Trace, masks: Container[int] = ()) -> Iterator[Bootstrap]:
    """Every comparison with a bootstrap target, squared or in a loss of its own; some `masks`, events, may lie
    between."""
    told = -1
    for event, value, target in compared(trace):
        found = _summed(trace, target, masks) if event.index != told else None
        if found is not None:
            told = event.index
            yield Bootstrap(event, value, target, *found)


def errors(trace: Trace) -> Iterator[Bootstrap]:
    """Every difference of a bootstrap target and what the same network says, one number a sample, compared or not."""
    book = ledger(trace)
    for event in trace.events:
        sides = operands(event) if event.op == "sub" and event.site is not None and not event.modules else []
        if len(sides) != 2 or sides[0].shape != sides[1].shape or math.prod(sides[0].sizes[1:]) != 1:
            continue
        for value, target in (sides, sides[::-1]):
            found = _summed(trace, target, ())
            if found is not None and set() < book.values(value) <= book.values(found[1]):
                yield Bootstrap(event, value, target, *found)
                break


def choices(trace: Trace) -> Iterator[tuple[Event, TensorFact, str]]:
    """`(event, what it chooses among, what else has a say)` of every extreme of a network's values, one row a sample:
    a `mask`, `other` numbers, or nothing but networks."""
    book = ledger(trace)
    for event in trace.events:
        given = next(iter(operands(event)), None) if event.op in BEST and event.site is not None else None
        if given is not None and given.rank == 2 and given.sizes[1] > 1 and book.values(given):
            yield event, given, _steered(trace, given)


def _steered(trace: Trace, fact: TensorFact) -> str:
    """What no network computed and has a say in a network's values."""
    book = ledger(trace)
    for _ in range(8):
        made = produced(trace, fact)
        users = consumers(trace, made.index) if made is not None else ()
        if any(user.op in WRITES and operands(user)[0].uid == fact.uid for user in users):
            return "mask"
        if made is None or made.modules:
            return ""
        if not ops.is_a(made.op, "reshapes") and any(not book.values(part) for part in operands(made)):
            return "mask" if made.op in MASKS else "other"
        fact = next((part for part in operands(made) if book.values(part)), fact)
    return ""


def squares(event: Event) -> bool:
    """Whether an operator makes an error of a difference: its square, or its size."""
    itself = ops.is_a(event.op, "multiplies") and len({fact.uid for fact in operands(event)}) == 1
    return itself or event.op in POWERS


def _squared(trace: Trace, event: Event) -> bool:
    """Whether a difference is squared or its size taken, and averaged into a loss; a single one is a loss already."""
    return any(
        squares(user)
        and (reduced_to_scalar(trace, user) is not None or getattr(user.result, "shape", None) in ((), (1,)))
        for user in consumers(trace, event.index)
    )


def _summed(trace: Trace, target: TensorFact, masks: Container[int]) -> tuple[Event, TensorFact] | None:
    """The sum of data and of a network's discounted value behind a target."""
    book, made = ledger(trace), produced(trace, target)
    for _ in range(8):
        if made is None or not (made.op in PASSED or made.index in masks):
            break
        parts = [part for part in operands(made) if made.index not in masks or book.values(part)]
        made = produced(trace, next(iter(parts), target))
    if made is None or made.op not in SUMS:
        return None
    pair = [part for part in made.args if isinstance(part, (TensorFact, int, float)) and not isinstance(part, bool)]
    ahead = [part for part in pair if isinstance(part, TensorFact) and book.values(part)]
    ahead = ahead if len(ahead) < 2 else [part for part in ahead if _of_batch(trace, part)]
    if len(pair) != 2 or len(ahead) != 1:
        return None
    return (made, ahead[0]) if _discounted(trace, ahead[0]) else None


def _of_batch(trace: Trace, fact: TensorFact) -> bool:
    """Whether a network was called with as many samples: what the world answered to a policy's actions came before."""
    called = (event for event in ancestors(trace, fact, 400).values() if event.modules)
    return any(part.sizes[:1] == fact.sizes[:1] for event in called for part in tensors(event.result))


def _discounted(trace: Trace, fact: TensorFact, depth: int = 5) -> bool:
    """Whether a network's value was multiplied with data or with a number of at most one."""
    book, event = ledger(trace), produced(trace, fact)
    if event is None or not depth or not (event.op in PRODUCTS or event.op in PASSED):
        return False
    own = [part for part in operands(event) if book.values(part)]
    if ops.is_a(event.op, "scales") and len(own) == 1:
        others = [part for part in event.args if part is not own[0]]
        if any((isinstance(part, float) and 0.3 <= part < 1) or isinstance(part, TensorFact) for part in others):
            return True
    return any(_discounted(trace, part, depth - 1) for part in own)


def asked_at(trace: Trace, found: Bootstrap, learner: int) -> tuple[Site, ...]:
    """The lines that called a network, or one like it, which a bootstrap target is computed from, outermost first."""
    before, kind = ancestors(trace, found.ahead), trace.modules[learner].kind
    calls = [
        step
        for step in of_kind(trace, "forward")
        if step.site is not None
        and trace.modules[step.data["module"]].kind == kind
        and any(fact.producer in before for fact in tensors(step.data.get("result")))
    ]
    own = [step for step in calls if step.data["module"] == learner]
    last = next(reversed(own or calls), None)  # an earlier one may choose the actions
    if last is not None:
        return last.stack
    inner = [event.stack for _, event in sorted(before.items()) if any(fact.is_held for fact in event.given)]
    function = found.made.site.function if found.made.site else ""  # which calls `forward` itself
    lines = [stack[: at + 1] for stack in inner for at, site in enumerate(stack) if site.function == function]
    site = found.made.site or found.loss.site
    return lines[-1] if lines else (site,) if site is not None else ()
