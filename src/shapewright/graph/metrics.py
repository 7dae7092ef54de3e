"""Follows numbers on the host from the tensors they were read from to the division that makes a metric.

Pure: it reads a `Trace`. It judges nothing beyond whether two counts are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..trace import Event, HostFact, LoopFact, Site, TensorFact, Trace
from .flow import RESHAPING, TARGET_LOSSES, operands, produced, reduction

CONVERSIONS = RESHAPING | {"float", "double", "long", "int", "to", "detach", "cpu", "clone", "data", "item", "type"}
COUNTS = ("len", "size")


@dataclass(frozen=True)
class Part:
    """What one addition brought in: `kind` is `hits` (matches of `size` comparisons), `means` (one average over `size`
    samples) or `weighted` (such an average times their number)."""

    kind: str
    size: int
    fact: HostFact
    event: Event


@dataclass(frozen=True)
class Ratio:
    """A sum divided by a count. `count` is how many there should be, `counted` the class of what was counted; `whole`
    tells that the loop's batches are all known."""

    site: Site
    added: Site
    kind: str
    total: float
    divisor: float
    count: int
    counted: str
    whole: bool
    fits: bool


def ratios(trace: Trace) -> Iterator[Ratio]:
    """Every division of a sum of one kind by something that was counted."""
    loops = {loop.uid: loop for loop in trace.loops}
    for fact in trace.host:
        if fact.op != "div" or fact.site is None or not all(fact.followed[:2]):
            continue
        divisor = trace.host[int(fact.operands[1])]
        counts = list(_counts(trace, divisor))
        parts = _parts(trace, trace.host[int(fact.operands[0])])
        kinds = {part.kind for part in parts or ()}
        first = parts[0].fact.site if parts else None
        if not counts or not parts or len(kinds) != 1 or first is None:
            continue
        kind = kinds.pop()
        seen = len(parts) if kind == "means" else sum(part.size for part in parts)
        direct = len(parts) == 1 and trace.host[int(fact.operands[0])].op == "item"
        batches, full = (1, parts[0].size) if direct else _full(parts, loops)
        expected = batches if kind == "means" else full
        value = divisor.value
        whole = expected is not None
        if kind == "means":
            samples = full if full is not None else sum(part.size for part in parts)
            most = max(part.size for part in parts)
            fits = value in (seen, batches) or abs(value - samples) >= most or most < 2
        else:
            slack = max(part.size for part in parts) if whole and expected != seen else 0
            near = expected is not None and abs(value - expected) <= slack
            loose = expected is None and value > seen  # more batches may come than were seen
            fits = value == seen or near or loose
        kinds_counted = counts[0].kind if len(counts) == 1 else ""
        yield Ratio(fact.site, first, kind, fact.value * value, value, expected or seen, kinds_counted, whole, fits)


def _counts(trace: Trace, fact: HostFact) -> Iterator[HostFact]:
    """The counts that a number adds up."""
    if fact.op in COUNTS:
        yield fact
    elif fact.op == "add":
        for operand, followed in zip(fact.operands, fact.followed):
            if followed:
                yield from _counts(trace, trace.host[int(operand)])


def _parts(trace: Trace, fact: HostFact, most: int = 4000) -> list[Part] | None:
    """What a number adds up, or `None` where part of it is something else."""
    found: list[Part] = []
    queue = [fact]
    while queue and len(found) < most:
        current = queue.pop()
        given = [trace.host[int(operand)] for operand, own in zip(current.operands, current.followed) if own]
        if current.op == "add":
            if not given or any(operand for operand, own in zip(current.operands, current.followed) if not own):
                return None
            queue += given
        elif current.op == "mul" and len(given) == 1:
            queue += given  # a percentage
        elif current.op == "mul" and len(given) == 2:
            counts = [part for part in given if part.op in COUNTS]
            other = next((part for part in given if part.op == "item"), None)
            read = _read(trace, other) if other is not None and len(counts) == 1 else None
            if read is None or len(read) != 1 or read[0].kind != "means" or read[0].size != counts[0].value:
                return None
            found.append(Part("weighted", read[0].size, current, read[0].event))
        elif current.op == "item":
            read = _read(trace, current)
            if read is None:
                return None
            found += read
        else:
            return None
    return found[::-1]


def _read(trace: Trace, fact: HostFact) -> list[Part] | None:
    """What the tensor that a number was read from adds up."""
    found: list[Part] = []
    queue: list[TensorFact] = operands(trace.events[fact.event])[:1] if 0 <= fact.event < len(trace.events) else []
    while queue:
        event = produced(trace, queue.pop())
        given = operands(event) if event is not None else []
        if event is None or not given:
            return None
        if event.op in ("add", "add_") and all(part.rank == 0 for part in given):
            queue += given
            continue
        if (event.op in CONVERSIONS or (event.op in ("mul", "div") and len(given) == 1)) and given[0].rank == 0:
            queue.append(given[0])
            continue
        part = _leaf(trace, event, fact)
        if part is None:
            return None
        found.append(part)
    places = [part.event.site for part in found]
    once = places.count(places[0]) if places else 0
    if len(set(places)) > 1 and ({part.kind for part in found} != {"means"} or len(found) != once * len(set(places))):
        return None
    return [part for part in found if part.event.site == places[0]]  # two averages of one batch are one


def _leaf(trace: Trace, event: Event, fact: HostFact) -> Part | None:
    """The matches that were counted, or the average that was taken, by one call."""
    given = operands(event)[0]
    if event.op in TARGET_LOSSES:
        mean = reduction(event) == "mean" and given.rank > 0
        return Part("means", int((given.shape or (0,))[0]), fact, event) if mean else None
    if event.op not in ("sum", "mean") or len([part for part in event.args if not isinstance(part, TensorFact)]):
        return None
    if event.op == "mean":
        return Part("means", (given.shape or (0,))[0], fact, event)
    made: Event | None = produced(trace, given)
    for _ in range(4):
        if made is None or made.op not in CONVERSIONS:
            break
        made = produced(trace, operands(made)[0]) if operands(made) else None
    if made is None or made.op != "eq" or len(operands(made)) != 2:
        return None
    if any(_ranked(trace, operand) for operand in operands(made)):
        return None
    size = 1
    for n in given.shape or ():
        size *= n
    return Part("hits", size, fact, event)


def _ranked(trace: Trace, fact: TensorFact, depth: int = 4) -> bool:
    """Whether a tensor holds several guesses for one sample: then one of them at most matches."""
    event = produced(trace, fact)
    if event is None or not depth:
        return False
    return event.op in ("topk", "sort", "argsort") or any(
        _ranked(trace, part, depth - 1) for part in operands(event)[:1] if event.op in CONVERSIONS | {"t"}
    )


def _full(parts: list[Part], loops: dict[int, LoopFact]) -> tuple[int | None, int | None]:
    """How many batches, and how many of what they hold, the loops of these parts have when nothing cuts them; `None`
    where that is not known."""
    batches = sizes = 0
    for uid in dict.fromkeys(part.event.loop for part in parts):
        own = [part.size for part in parts if part.event.loop == uid]
        loop = loops.get(uid)
        if loop is None or not loop.cut:
            batches, sizes = batches + len(own), sizes + sum(own)
        elif loop.length > 0 and loop.iterations == len(own):
            batches, sizes = batches + loop.length, sizes + own[0] * (loop.length - 1) + own[-1]
        else:
            return None, None
    return batches, sizes
