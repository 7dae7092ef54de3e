"""Follows numbers on the host from the tensors they were read from to the division that makes a metric. Pure: it reads
a `Trace`. It judges nothing beyond whether two counts are the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, HostFact, LoopFact, Site, TensorFact, Trace
from .flow import REGRESSION_LOSSES, TARGET_LOSSES, operands, produced, reduction
from .kept import CONVERSIONS, compares, kept
from .units import of_samples

COUNTS = ("len", "size")
READ = ("item", "hits")  # one number, of a tensor or of arrays
BATCHES = ("DataLoader",)  # what is as long as there are batches
PERCENTAGES = (1, 100)


@dataclass(frozen=True)
class Part:
    """What one addition brought in, at `site`: `kind` is `hits` (matches of `size` comparisons, of `places` where some
    do not count), `guesses` (matches of several guesses for each of `size` samples, `places` in all), `means` (one
    average over `size` samples and `values` numbers in all), `weighted` (such an average times their number) or `sums`
    (a loss that adds up over `size` samples). `beside` is how many averages of one batch were added up as one."""

    kind: str
    size: int
    site: Site | None
    event: Event
    places: int = 0
    values: int = 0
    beside: int = 1


@dataclass(frozen=True)
class Ratio:
    """A sum divided by a count. `count` is how many there should be, `counted` the class of what was counted; `whole`
    tells that the loop's batches are all known."""

    site: Site
    added: Site
    kind: str
    divisor: float
    count: int
    counted: str
    whole: bool
    fits: bool


def ratios(trace: Trace) -> Iterator[Ratio]:
    """Every division of a sum of one kind by a count: of numbers, and of tensors that hold one."""
    loops = {loop.uid: loop for loop in trace.loops}
    added = {parent for fact in trace.host if fact.op == "add" for parent in fact.parents}
    for fact in trace.host:
        if fact.op != "div" or fact.site is None or not fact.followed[0]:
            continue
        above = trace.host[int(fact.operands[0])]
        divisor = trace.host[int(fact.operands[1])] if fact.followed[1] else None
        counts = list(_counts(trace, divisor)) if divisor is not None else []
        value = divisor.value if divisor is not None else float(fact.operands[1])
        parts = _parts(trace, above)
        made = _ratio(fact.site, parts, value, counts, loops, above.op in READ)
        if made is not None and made.kind == "hits" and made.divisor > made.count and fact.index in added:
            made = replace(made, fits=True)  # a share of all samples, added up over batches
        if made is not None:
            hundred = divisor is None and above.op == "mul" and 100 in above.operands
            made = _of_a_batch(trace, made, above, divisor)
            yield replace(made, fits=made.fits and not (hundred and _per_sample(trace, parts, value)))
    for event in trace.events:
        if not ops.is_a(event.op, "divides") or event.site is None or len(event.args) < 2 or event.modules:
            continue
        total, by = event.args[:2]
        if "reflected" in event.flags or not isinstance(total, TensorFact) or total.rank or not _number(by):
            continue
        parts, before = _added(trace, [total], None), produced(trace, total)
        read = any(at == event.index and trace.host[number].op == "item" for at, number in trace.data.met)
        if before is not None and before.op == "mul" and 100 in before.args and not read and parts:
            if _per_sample(trace, parts, float(by)):
                yield Ratio(event.site, parts[0].event.site or event.site, "hits", by, parts[0].size, "", True, False)
                continue
        made = _ratio(event.site, parts, float(by), [], loops, False)
        if made is not None and not (made.kind == "summed" and total.requires_grad):
            yield made
    for fact in trace.host:
        if (fact.op, fact.kind) == ("hits", "means") and fact.operands[1] < fact.operands[0] and fact.site is not None:
            yield Ratio(fact.site, fact.site, "places", fact.operands[0], int(fact.operands[1]), "", True, False)
    for event in (one for one in trace.events if one.op == "mean" and one.given and not one.modules):
        part = None if event.given[0].requires_grad else _matches(trace, event, event.site)
        if part is not None and part.places == math.prod(event.given[0].sizes) and event.site is not None:
            yield Ratio(event.site, event.site, "places", part.places, part.size, "", True, False)


def _of_a_batch(trace: Trace, ratio: Ratio, hits: HostFact, divisor: HostFact | None) -> Ratio:
    """The matches of one comparison of more samples than a batch has, divided by the size of a batch as a plain
    number."""
    whole = divisor is not None or ratio.kind != "hits" or hits.op not in READ or ratio.divisor >= ratio.count
    if whole or ratio.divisor in PERCENTAGES or ratio.divisor not in trace.data.batch_sizes:
        return ratio
    return replace(ratio, fits=ratio.count % int(ratio.divisor) == 0)  # a whole number of times: places per sample


def _per_sample(trace: Trace, parts: list[Part] | None, value: float) -> bool:
    """Whether a percentage of the matches at several places of each sample is taken of the number of samples."""
    part = parts[0] if parts and len(parts) == 1 and parts[0].kind == "hits" and not parts[0].places else None
    return part is not None and of_samples(trace, operands(part.event)[0], part.size, value)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > 1


def _ratio(
    site: Site,
    parts: list[Part] | None,
    value: float,
    counts: list[HostFact],
    loops: dict[int, LoopFact],
    direct: bool,
) -> Ratio | None:
    """What became of `parts` divided by `value`; where nothing tells that this is a count (no `counts`), it is one if
    it is exactly the number of batches or of samples."""
    kinds = {part.kind for part in parts or ()}
    first = parts[0].site if parts else None
    if not parts or len(kinds) != 1 or first is None:
        return None
    kind = kinds.pop()
    parts = _of_one_term(parts) if kind == "weighted" else parts
    total = sum(part.size for part in parts)
    places = sum(part.places or part.size for part in parts)
    if kind == "sums":  # by batches or by samples: both are averages
        return Ratio(site, first, "summed", value, total, "", True, False) if total < places == value else None
    if kind == "guesses":
        return Ratio(site, first, kind, value, total, "", True, value != places)
    if any(part.places for part in parts):
        return Ratio(site, first, "places", value, total, "", True, value != places)
    seen = len(parts) if kind == "means" else total
    batches, full = (1, parts[0].size) if direct and len(parts) == 1 else _full(parts, loops)
    expected = batches if kind == "means" else full
    whole = expected is not None
    most = max(part.size for part in parts)
    if kind == "means":
        apart = min(abs(value - samples) for samples in (total, total if full is None else full))
        share = direct and len(parts) == 1 and value in _turns(loops.get(parts[0].event.loop), counts)
        every = bool(counts) and value == sum(part.values for part in parts)  # each number that was averaged
        known = share or value in (seen, batches, seen * parts[0].beside) or most < 2  # of two losses the mean, too
        fits = known or not (every or apart < (most if counts else 1))
    elif not counts:
        alone = len(parts) < 2 or most < 2 or value in (seen, expected)
        fits = alone or value not in (len(parts), batches, len(parts) * most)  # as many batches, or all of them full
    else:
        slack = most if whole and expected != seen else 0
        near = expected is not None and abs(value - expected) <= slack
        loose = expected is None and value > seen  # more batches may come than were seen
        fits = value == seen or near or loose
    return Ratio(site, first, kind, value, expected or seen, counts[0].kind if len(counts) == 1 else "", whole, fits)


def _of_one_term(parts: list[Part]) -> list[Part]:
    """The parts of the first of several sums over the same batches that were added up, such as those of two terms of a
    loss; all parts where they are of one, or of different batches."""
    sums: dict[Site | None, list[Part]] = {}
    for part in parts:
        sums.setdefault(part.site, []).append(part)
    first, *others = ([(part.size, part.event.loop) for part in own] for own in sums.values())
    return next(iter(sums.values())) if all(own == first for own in others) else parts


def _turns(loop: LoopFact | None, counts: list[HostFact]) -> tuple[float, ...]:
    """How often a loop runs, by which each mean may be divided where it is read, to be added up after that. Where
    nothing tells, as often as whatever was counted has batches."""
    if loop is not None and (loop.length > 0 or not loop.cut):
        return (loop.length if loop.length > 0 else loop.iterations,)
    return tuple(one.value for one in counts if one.kind in BATCHES)


def _counts(trace: Trace, fact: HostFact) -> Iterator[HostFact]:
    """The counts that a number adds up."""
    if fact.op in COUNTS:
        yield fact
    elif fact.op == "add":
        for parent in fact.parents:
            yield from _counts(trace, trace.host[parent])


def _parts(trace: Trace, fact: HostFact, most: int = 4000) -> list[Part] | None:
    """What a number adds up, or `None` where part of it is something else."""
    found: list[Part] = []
    queue, factors = [fact], set()
    while queue and len(found) < most:
        current = queue.pop()
        given = [trace.host[parent] for parent in current.parents]
        if current.op == "add":
            if not given or any(operand for operand, own in zip(current.operands, current.followed) if not own):
                return None
            queue += given
        elif current.op == "mul" and len(given) == 1:
            factor = current.operands[1 - current.followed.index(True)]
            if factor not in PERCENTAGES:
                return None  # it may be the size of a batch
            factors.add(factor)
            queue += given
        elif current.op == "mul" and len(given) == 2:
            counts = [part for part in given if part.op in COUNTS]
            other = next((part for part in given if part.op == "item"), None)
            read = _read(trace, other) if other is not None and len(counts) == 1 else None
            if read is None or len(read) != 1 or read[0].kind != "means" or read[0].size != counts[0].value:
                return None
            found.append(Part("weighted", read[0].size, current.site, read[0].event))
        elif current.op == "div" and current.followed[0]:
            read = _parts(trace, given[0], 1)
            count = given[1].value if current.followed[1] else float(current.operands[1])
            if read is None or len(read) != 1 or read[0].kind not in ("sums", "hits") or read[0].size != count:
                return None
            found.append(replace(read[0], kind="means", site=current.site, places=0))
        elif current.op == "hits":
            at = Event(len(trace.events) + current.index, "eq", current.site, loop=current.loop)
            size, some = (int(part) for part in current.operands)
            found.append(Part(current.kind, some, current.site, at, size if some < size else 0))
        elif current.op == "item":
            read = _read(trace, current)
            if read is None:
                return None
            found += read
        else:
            return None
    return None if any(part.size in factors - {1} for part in found) else found[::-1]


def _read(trace: Trace, fact: HostFact) -> list[Part] | None:
    """What the tensor that a number was read from adds up; `None` where the reading is one of many at its place, of
    which the trace keeps the first alone."""
    known = 0 <= fact.event < len(trace.events)
    return _added(trace, operands(trace.events[fact.event])[:1], fact.site) if known else None


def _added(trace: Trace, queue: list[TensorFact], site: Site | None) -> list[Part] | None:
    """What tensors of one number add up, at `site` or, where that is `None`, at the additions themselves."""
    found: list[Part] = []
    places = {fact.producer: site for fact in queue}
    times: dict[int, float] = {}
    while queue:
        event = produced(trace, queue.pop())
        given = operands(event) if event is not None else []
        if event is None or not given:
            if event is None or not ops.is_a(event.op, "fills_constant"):
                return None
            continue  # `total = torch.zeros(())`
        at = places.get(event.index, site)
        if ops.is_a(event.op, "offsets") and all(part.rank == 0 for part in given):
            queue += given
            places.update({part.producer: site or event.site for part in given})
            times.update({part.producer: times.get(event.index, 1.0) for part in given})
            continue
        passes = event.op in CONVERSIONS or ops.is_a(event.op, "pointwise", "scales")
        if passes and len(given) == 1 and given[0].rank == 0 and "reflected" not in event.flags:
            queue.append(given[0])
            places[given[0].producer] = at
            factor = next((float(part) for part in event.args if ops.is_a(event.op, "scales") and _number(part)), 1.0)
            times[given[0].producer] = times.get(event.index, 1.0) * (1 / factor if event.op == "div" else factor)
            continue
        penalty = _of_parameters(trace, event)
        part = None if penalty else _leaf(trace, event, at)
        if part is None and not penalty:
            return None
        often = times.get(event.index, 1.0)
        if part is not None and part.kind == "means" and often == part.size > 1:
            part = replace(part, kind="weighted")  # `total += loss * len(x)`
        elif part is not None and part.kind in ("hits", "sums") and often not in PERCENTAGES:
            if any(math.isclose(often * part.size, whole) for whole in PERCENTAGES):
                part = replace(part, kind="means", places=0)  # `total += hits.sum() / len(x)`
            elif part.kind == "hits":
                return None
        found += [part] if part is not None else []
    made = [part.event.site for part in found]
    once = made.count(made[0]) if made else 0
    kinds = {part.kind for part in found}
    if len(set(made)) > 1 and (kinds not in ({"means"}, {"sums"}) or len(found) != once * len(set(made))):
        return None
    beside = len(set(made))  # two averages of one batch are one
    return [replace(part, beside=beside) for part in found if part.event.site == made[0]]


def _of_parameters(trace: Trace, event: Event, depth: int = 6) -> bool:
    """Whether a number is made of weights alone, as a penalty on them is."""
    given = [(fact, produced(trace, fact)) for fact in operands(event)]
    return bool(given) and all(
        fact.kind == "parameter" or (made is not None and depth > 0 and _of_parameters(trace, made, depth - 1))
        for fact, made in given
    )


def _leaf(trace: Trace, event: Event, site: Site | None) -> Part | None:
    """The matches that were counted, or the average that was taken, by one call."""
    given = operands(event)[0]
    if event.op in TARGET_LOSSES:
        kind = {"mean": "means", "sum": "sums"}.get(reduction(event), "")
        size = int((given.shape or (0,))[0])
        some, places = next((one[2:] for one in trace.data.counted if (one[0], kind) == (event.index, "sums")), (0, 0))
        values = math.prod(given.sizes) if event.op in REGRESSION_LOSSES else 0
        return Part(kind, some or size, site, event, places, values) if kind and given.rank > 0 else None
    if event.op not in ("sum", "mean") or len([part for part in event.args if not isinstance(part, TensorFact)]):
        return None
    if event.op == "mean":
        return Part("means", (given.shape or (0,))[0], site, event, values=math.prod(given.sizes))
    if given.requires_grad and given.rank > 0:
        return Part("sums", (given.shape or (0,))[0], site, event)
    return _matches(trace, event, site)


def _matches(trace: Trace, event: Event, site: Site | None) -> Part | None:
    """The comparisons whose matches a call counts, or the losses of single places that it adds up."""
    given = operands(event)[0]
    size = math.prod(given.shape or ())
    made, some, places = kept(trace, given)
    if made is None or places not in (0, size, size + places - some):
        return None
    if not compares(trace, made):
        return Part("sums", some, site, event, places) if some else None
    guesses = [_ranked(trace, operand) for operand in operands(made)]
    if any(guesses) and len(guesses) == 2 and made.op == "eq":
        labels = operands(made)[0 if guesses[1] else 1]
        one_each = 1 in labels.sizes and not all(guesses) and labels.is_whole
        count = math.prod(labels.sizes)
        return Part("guesses", count, site, event, size) if one_each and 1 < count < size else None
    if any(guesses):
        return None
    return Part("hits", some or size, site, event, places)


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
    parts = sorted(parts, key=lambda part: part.event.index)
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
