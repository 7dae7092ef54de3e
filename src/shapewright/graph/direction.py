"""Asks whether a number of the host's rises or falls as a model gets better, by what it was computed from.

Pure: it reads a `Trace`. A share of answers that equal the truth rises, an average of a loss falls; a metric that was
computed again from right and from wrong answers tells by itself. Names have no say.
"""

from __future__ import annotations

import ast

from .. import ops
from ..trace import Event, HostFact, MetricOrder, Trace
from .flow import TARGET_LOSSES, chain, once, operands, produced
from .kept import CONVERSIONS
from .ledger import ledger
from .metrics import COUNTS
from .source import Source, walk
from .training import ancestors

REDUCED = CONVERSIONS | ops.named("totals") | {"any", "all", "sqrt", "exp", "log"}  # what rises with what it is given
MOST, NEAR, APART = 400, 300, 0.02


def rises(trace: Trace, index: int) -> bool | None:
    """Whether the number `index` rises with better answers; `None` where nothing tells, or not all of it agrees."""
    queue, seen, told = [(index, True)], set[int](), set[bool]()
    while queue and len(seen) < MOST:
        at, upwards = queue.pop()
        if at in seen:
            continue
        seen.add(at)
        fact = trace.host[at]
        own = _measured(trace).get(at)
        own = _leaf(trace, fact) if own is None and not fact.parents else own
        if own is not None:
            told.add(own == upwards)
            continue
        parts = _parts(trace, fact)
        if not parts:
            return None
        queue += [(part, upwards == same) for part, same in parts]
    return told.pop() if len(told) == 1 else None


def _parts(trace: Trace, fact: HostFact) -> list[tuple[int, bool]]:
    """The numbers that a number follows, each with whether it goes the same way; none where that is not known."""
    given = [(int(part), place) for place, (part, own) in enumerate(zip(fact.operands, fact.followed)) if own]
    plain = [float(part) for part, own in zip(fact.operands, fact.followed) if not own]
    if fact.op in ("add", "sub"):
        return [(part, fact.op == "add" or not place) for part, place in given]
    given = [(part, place) for part, place in given if not _counts(trace, part)]
    if len(given) != 1 or fact.op not in ("mul", "div") or (fact.op == "div" and given[0][1]):
        return []
    return [(given[0][0], all(number > 0 for number in plain))]


def _counts(trace: Trace, index: int) -> bool:
    """Whether a number is a count, or a sum of counts."""
    queue, seen = [index], set[int]()
    while queue:
        fact = trace.host[queue.pop()]
        if fact.index in seen or fact.op in COUNTS:
            continue
        if fact.op != "add" or not fact.parents or len(seen) > MOST:
            return False
        seen.add(fact.index)
        queue += fact.parents
    return True


@once
def _measured(trace: Trace) -> dict[int, bool]:
    """The metrics that were computed again from other answers."""
    told = (answer.data for answer in trace.answers(MetricOrder) if not answer.data.unmoved and answer.data.upwards)
    return {data.number: data.right > data.wrong for data in told if abs(data.right - data.wrong) > APART}


def _leaf(trace: Trace, fact: HostFact) -> bool | None:
    """Whether a number that was read counts what equals the truth, or is the average of a loss."""
    if fact.op == "hits":
        return _equal(trace, fact) or None
    read = trace.event(fact.event) if fact.op == "item" else None
    given = operands(read) if read is not None else []
    made = list(chain(trace, given[0], lambda event: event.op in REDUCED)) if given else []
    last = made[-1] if made else None
    if last is None or any(event.op in ("min", "amin") for event in made):
        return None
    if last.op in TARGET_LOSSES:
        return False
    apart = produced(trace, operands(last)[0]) if ops.is_a(last.op, "magnitudes", "powers") and operands(last) else None
    if apart is not None and ops.is_a(apart.op, "subtracts"):
        last = apart  # an error, written by hand
    if not (last.op in ("eq", "ne") or last is apart) or len(operands(last)) != 2:
        return None
    book = ledger(trace)
    learned = [any(_trained(trace, at) for at in ancestors(trace, side, NEAR).values()) for side in operands(last)]
    return last.op == "eq" if any(learned) and not all(learned) and book.stepped else None


def _trained(trace: Trace, event: Event) -> bool:
    """Whether an operator ran in a model that some step changes."""
    return bool(event.modules) and ledger(trace).trained(event.modules[0])


def _equal(trace: Trace, fact: HostFact) -> bool:
    """Whether what was counted of arrays was written as an equality."""
    node = Source(trace).statement_at(fact.site) if fact.site is not None else None
    compared = [part for part in walk(node) if isinstance(part, ast.Compare)] if node is not None else []
    return len(compared) == 1 and len(compared[0].ops) == 1 and isinstance(compared[0].ops[0], ast.Eq)
