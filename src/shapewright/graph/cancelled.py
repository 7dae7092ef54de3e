"""Values that an expression adds and that nothing behind it can notice: subtracted again, or the same for all scores
that a softmax compares. Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, Site, TensorFact, Trace
from .bootstrap import squares
from .flow import REGRESSION_LOSSES, consumers, dim_of, operands, produced
from .ledger import ledger
from .training import ancestors

BESIDE = 12  # calls of one function of a library
SHIFTS = ops.named("adds", "subtracts")


def cancelled(trace: Trace) -> Iterator[tuple[Event, str]]:
    """Every such sum that learns: `cancelled` within one expression, `for_all` in a softmax."""
    yield from _cancelled(trace)
    yield from _for_all(trace)


def _cancelled(trace: Trace) -> Iterator[tuple[Event, str]]:
    """Sums that learn, written as one expression, in which a value that learns has a plus and a minus."""
    for event in trace.events:
        if ops.is_a(event.op, "subtracts") and event.site is not None and "grad" in event.flags:
            if _among_others(trace, event):
                continue
            found = list(_summands(trace, event, event.site))
            plus = {fact.uid for fact, sign in found if sign > 0 and fact.requires_grad}
            if len(found) > 2 and any(sign < 0 and fact.uid in plus for fact, sign in found):
                yield event, "cancelled"


def within_target(trace: Trace) -> Iterator[tuple[Event, Event, TensorFact]]:
    """`(difference, sum, value)` of every error that is learned from and whose gradient is 0: all that learns in it was
    added to one side by a sum and is subtracted by the other."""
    learned = ledger(trace).learned
    for event in trace.events:
        sides = operands(event)
        error = event.op in REGRESSION_LOSSES or ops.is_a(event.op, "subtracts")
        if not error or len(sides) < 2 or "grad" not in event.flags or event.site is None or event.index not in learned:
            continue
        counts: dict[tuple[int, int], int] = {}
        sums: dict[tuple[int, int], tuple[Event, TensorFact]] = {}
        rest = False
        for sign, side in zip((1, -1), sides):
            for fact, own, made in _added_up(trace, side, sign):
                key = fact.uid, fact.producer
                if fact.requires_grad:
                    counts[key] = counts.get(key, 0) + own
                    sums |= {key: (made, fact)} if made is not None else {}
                else:
                    rest = True
        if counts and rest and sums.keys() == counts.keys() and not any(counts.values()) and _penalized(trace, event):
            yield event, *next(iter(sums.values()))


def _added_up(
    trace: Trace, fact: TensorFact, sign: int, by: Event | None = None, depth: int = 6
) -> Iterator[tuple[TensorFact, int, Event | None]]:
    """What a tensor is the sum of, each with its sign and the sum that it was an operand of."""
    made = produced(trace, fact) if fact.requires_grad else None
    pair = operands(made) if made is not None and ops.is_a(made.op, "adds", "subtracts") else []
    plain = made is not None and depth and not made.op.endswith("_") and not made.kwargs
    if made is None or not plain or len(pair) != 2 or any(one.shape != fact.shape for one in pair):
        yield fact, sign, by
        return
    first = -1 if ops.is_a(made.op, "subtracts") and "reflected" in made.flags else 1
    for own, part in zip((first, first if ops.is_a(made.op, "adds") else -first), pair):
        yield from _added_up(trace, part, sign * own, made, depth - 1)


def _penalized(trace: Trace, event: Event) -> bool:
    """Whether an error is one already, or is squared or taken without its sign."""
    return event.op in REGRESSION_LOSSES or any(map(squares, consumers(trace, event.index)))


def _for_all(trace: Trace) -> Iterator[tuple[Event, str]]:
    """Sums that learn, of scores and what is the same for all scores that every softmax behind them compares."""
    for event in trace.events:
        given, made = operands(event), event.result
        if event.op.rstrip("_") not in SHIFTS or not event.site or "grad" not in event.flags or event.kwargs:
            continue
        if not isinstance(made, TensorFact) or made.rank < 1 or len(event.args) != 2:
            continue
        axes = _compared_along(trace, event, made.rank)
        if axes and _margin(event) and given[0].requires_grad:
            yield event, "for_all"
        if len(given) != 2:
            continue
        for scores, other in (given, given[::-1]):
            sizes = (1,) * (made.rank - other.rank) + other.sizes
            same = axes and other.rank and all(sizes[d] == 1 < made.sizes[d] for d in axes)
            if not (same and scores.requires_grad and any(size > 1 for size in sizes)):
                continue
            if scores.producer not in ancestors(trace, other) and not _of_a_mask(trace, other):
                yield event, "for_all"


def _margin(event: Event) -> bool:
    """Whether a plain number is subtracted that is no rounding and no part of `2 * x - 1`."""
    number = event.args[1]
    plain = isinstance(number, float) and "reflected" not in event.flags and ops.is_a(event.op, "subtracts")
    return plain and 0.01 <= abs(float(str(number))) != 1


def _compared_along(trace: Trace, event: Event, rank: int, depth: int = 8) -> frozenset[int]:
    """The axes over which every softmax that reads a value runs; none where anything else reads it."""
    found: set[int] = set()
    queue = [(event, depth)]
    while queue:
        current, left = queue.pop()
        users = consumers(trace, current.index)
        for user in users:
            if ops.is_a(user.op, "softmaxes") or user.op == "cross_entropy":
                dim = dim_of(user) if user.op != "cross_entropy" else 1 if rank > 1 else 0
                if dim is None or operands(user)[0].producer != current.index:
                    return frozenset()
                found.add(dim % rank)
            elif not left or not _shifts(user, current):
                return frozenset()
            else:
                queue.append((user, left - 1))
        if not users:
            return frozenset()
    return frozenset(found)


def _shifts(user: Event, current: Event) -> bool:
    """Whether an operator keeps the differences of scores along their axes: it adds, or scales all alike."""
    alike = isinstance(user.result, TensorFact) and isinstance(current.result, TensorFact)
    if not alike or user.result.shape != current.result.shape:
        return False
    others = [fact for fact in operands(user) if fact.producer != current.index]
    scaled = ops.is_a(user.op, "scales") and all(fact.rank == 0 for fact in others)
    return scaled or user.op.rstrip("_") in SHIFTS or user.op in ("float", "contiguous", "to", "clone")


def _of_a_mask(trace: Trace, fact: TensorFact) -> bool:
    """Whether a value is made of what is true or false."""
    made = [produced(trace, fact), *ancestors(trace, fact, 8).values()]
    return any(part.dtype == "bool" for event in made if event is not None for part in (*operands(event), fact))


def _summands(
    trace: Trace, event: Event, span: Site, sign: int = 1, depth: int = 12
) -> Iterator[tuple[TensorFact, int]]:
    """What an expression within a span adds up, each with its sign."""
    turned = "reflected" in event.flags or event.op == "rsub"
    for at, part in enumerate(event.args[:2]):
        own = -sign if ops.is_a(event.op, "subtracts") and bool(at) != turned else sign
        made = produced(trace, part) if isinstance(part, TensorFact) else None
        inside = made is not None and made.site is not None and _within(made.site, span)
        if made is not None and inside and depth and ops.is_a(made.op, "adds", "subtracts"):
            yield from _summands(trace, made, span, own, depth - 1)
        elif isinstance(part, TensorFact):
            yield part, own


def _among_others(trace: Trace, event: Event) -> bool:
    """Whether the piece of the text that made a value made others as well: it calls a function of a library (a
    log-probability subtracts the mean), and is no sum that somebody wrote."""
    near = trace.events[max(event.index - BESIDE, 0) : event.index + BESIDE]
    return any(other.site == event.site and other.op != event.op for other in near)


def _within(site: Site, span: Site) -> bool:
    """Whether one piece of the text lies in another."""
    first, last = (span.line, span.column), (span.end_line, span.end_column)
    return site.file == span.file and first <= (site.line, site.column) and (site.end_line, site.end_column) <= last
