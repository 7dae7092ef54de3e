"""Which statements of the author's about axes cannot be true of the tensors that were seen.

Symbols are unified with the identities of the axes; sizes never count. Only where a statement calls an axis that of the
batch does a word count for what it means (`lexicon`).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator

from .. import lexicon, ops
from ..dataclass import dataclass
from ..trace import Event, Site, Trace
from .contracts import Statement, identity, statements
from .source import Source

COMBINES = ops.named("arithmetic", "compares", "extremes")
Place = tuple[str, int]


@dataclass(frozen=True)
class Contradiction:
    """Axis `axis` of `one` cannot be what `one` calls it. `how` tells why: `crossed`, since `other` calls so what is
    axis `real` here; `renamed`, since `other` gives the symbol to another axis and calls this one `name`; `samples`,
    since axis `real` counts the samples of the batch; `combined`, since `event` combines it with what `other` calls
    `name`."""

    how: str
    one: Statement
    other: Statement
    axis: int
    real: int = -1
    name: str = ""
    event: Event | None = None

    @property
    def axes(self) -> frozenset[object]:
        """The two axes that are taken for each other."""
        symbol = self.one.symbols[self.axis]
        return frozenset((identity(self.one.axes[self.axis]), self.other.identities.get(symbol or self.name)))


def contradictions(trace: Trace) -> Iterator[Contradiction]:
    """The statements that contradict an earlier one or the loader, each against the first one that it contradicts."""
    said = [one for one in statements(trace) if len(one.symbols) == len(one.axes)]
    shared = _shared(trace) if said else frozenset()
    held: list[Statement] = []
    for one in sorted(said, key=lambda one: (one.fact.uid, (one.caller or one.site).line)):
        found = None
        for reading in _readings(one):
            told = next(_against(reading, held, shared), None)
            if told is None:
                held.append(reading)
                break
            found = found or told
        else:
            if found is not None and not _read_otherwise(found, held, shared):
                yield found
    short = [one for one in statements(trace) if len(one.symbols) > len(one.axes)]
    yield from _combined(trace, [*held, *filter(None, map(_without_ones, short))])


def _readings(one: Statement) -> Iterator[Statement]:
    """A statement of each tensor that it may speak of, the likeliest first."""
    yield one
    for k, fact in enumerate(one.others):
        others = (one.fact, *one.others[:k], *one.others[k + 1 :])
        yield dataclasses.replace(one, fact=fact, axes=fact.axes, others=others)


def _read_otherwise(found: Contradiction, held: list[Statement], shared: frozenset[Place]) -> bool:
    """Whether nothing is contradicted where the earlier statement speaks of another tensor: a comment on a line of its
    own of one nearby, one behind a line that moves axes of what goes in."""
    rest = [one for one in held if one is not found.other]
    axes = {identity(axis) for axis in found.other.axes}
    for reading in itertools.islice(_readings(found.other), 1, None):
        free = found.other.written is not None or {identity(axis) for axis in reading.axes} == axes
        if free and not any(_against(reading, rest, shared)) and not any(_against(found.one, [*rest, reading], shared)):
            return True
    return False


def _against(one: Statement, held: list[Statement], shared: frozenset[Place]) -> Iterator[Contradiction]:
    for other in held:
        if other.identities.keys().isdisjoint(one.symbols) or one.site.file != other.site.file:
            continue
        if (
            one.function == other.function
            or not {(one.site.file, one.function), (other.site.file, other.function)} & shared
        ):
            yield from _crossed(one, other, held)
    if (one.site.file, one.function) not in shared:
        yield from _samples(one)


def _crossed(one: Statement, other: Statement, held: list[Statement]) -> Iterator[Contradiction]:
    """The symbol of an axis is that of another axis in the other statement."""
    together = one.function == other.function
    for i, symbol in enumerate(one.symbols):
        known, here = other.identities.get(symbol), identity(one.axes[i])
        if not symbol or one.symbols.count(symbol) > 1 or known is None or here is None or known == here:
            continue
        j = next((j for j, axis in enumerate(one.axes) if identity(axis) == known), None)
        name = _symbol_of(other, here)
        if j is not None and one.symbols[j] and one.symbols[j] != symbol:
            near = together or (
                bool(one.scope) and one.scope == other.scope and "unpacked" not in (one.kind, other.kind)
            )
            if any(s.function == one.function and s.identities.get(one.symbols[j]) == known for s in held):
                continue  # this function calls it so too: queries and keys may be one sequence
            if (
                other.identities.get(one.symbols[j]) == here
                or _reordered(one, other)
                or (near and all(s.identities.get(symbol) in (None, known) for s in held if s.scope == one.scope))
            ):
                yield Contradiction("crossed", one, other, i, j, one.symbols[j])
        elif j is None and name and name != symbol and together:
            if all(s.identities.get(symbol) != here for s in held if s.function == one.function):
                yield Contradiction("renamed", one, other, i, name=name)


def _without_ones(one: Statement) -> Statement | None:
    """A statement whose unnamed axes, written as 1, the tensor lacks: its symbols fit without them."""
    symbols = tuple(filter(None, one.symbols))
    return dataclasses.replace(one, symbols=symbols) if len(symbols) == len(one.axes) else None


def _reordered(one: Statement, other: Statement) -> bool:
    """Whether both give the same symbols to the same axes, in other orders."""
    mine, its = ({identity(axis) for axis in s.axes} for s in (one, other))
    return None not in mine and mine == its and set(one.symbols) == set(other.symbols)


def _samples(one: Statement) -> Iterator[Contradiction]:
    """An axis is called that of the batch, but the samples of the loader are another one."""
    if one.kind == "pattern":
        return
    called = [i for i, symbol in enumerate(one.symbols) if symbol and lexicon.says(symbol, "batch")]
    real = [i for i, axis in enumerate(one.axes) if identity(axis) == "samples"]
    if len(called) == len(real) == 1 and called != real and one.symbols[real[0]] and one.axes[called[0]].size > 1:
        yield Contradiction("samples", one, one, called[0], real[0], one.symbols[real[0]])


def _combined(trace: Trace, held: list[Statement]) -> Iterator[Contradiction]:
    """An operator combines two axes of different symbols, though one operand has both."""
    meant: dict[Place, dict[object, dict[str, Statement]]] = {}
    for one in held:
        for symbol, known in one.identities.items():
            meant.setdefault((one.site.file, one.function), {}).setdefault(known, {}).setdefault(symbol, one)
    source, functions = Source(trace), dict[Place, int]()
    for event in trace.events if any(len(known) > 2 for known in meant.values()) else ():
        if event.op not in COMBINES or event.site is None or len(event.given) != 2:
            continue
        line = (event.site.file, event.site.line)
        if line not in functions:
            functions[line] = getattr(source.function_at(event.site), "lineno", 0)
        known = meant.get((event.site.file, functions[line]), {})
        left, right = (fact.axes for fact in event.given)
        twice = {one for axes in (left, right) for one, count in Counter(map(identity, axes)).items() if count > 1}
        for k in range(1, min(len(left), len(right)) + 1) if known else ():
            for mine, its, axes in ((left[-k], right[-k], right), (right[-k], left[-k], left)):
                here, there = known.get(identity(mine), {}), known.get(identity(its), {})
                if not twice.isdisjoint((identity(mine), identity(its))):
                    continue  # samples against samples: a symbol may stand for either
                if not len(here) == len(there) == 1 or mine.size != its.size or set(here) & set(there):
                    continue
                (symbol, one), (name, other) = next(iter(here.items())), next(iter(there.items()))
                if any(symbol in known.get(identity(axis), {}) for axis in axes):
                    at = one.symbols.index(symbol)
                    yield Contradiction("combined", one, other, at, name=name, event=event)


def _symbol_of(statement: Statement, known: object) -> str:
    """The symbol that a statement gives to the one axis of an identity."""
    held = [symbol for symbol, axis in zip(statement.symbols, statement.axes) if identity(axis) == known]
    return held[0] if len(held) == 1 and statement.symbols.count(held[0]) == 1 else ""


def _shared(trace: Trace) -> frozenset[Place]:
    """The functions, by file and line, that are called from several lines: their words fit any of the callers."""
    source, callers = Source(trace), dict[Place, set[Place]]()
    for inner, outer in {pair for event in trace.events for pair in zip(event.stack[1:], event.stack)}:
        callers.setdefault((inner.file, inner.line), set()).add((outer.file, outer.line))
    found: dict[Place, set[Place]] = {}
    for (file, line), lines in callers.items():
        function = source.function_at(Site(file, line))
        if function is not None:
            found.setdefault((file, function.lineno), set()).update(lines)
    return frozenset(place for place, lines in found.items() if len(lines) > 1)
