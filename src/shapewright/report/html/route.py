"""The way of the axes to a fault: for each operand the lines and layers that it went through, oldest first."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from ...dataclass import dataclass
from ...diagnosis import Finding
from ...diagnosis.excerpt import event_of, source_of
from ...graph.flow import operands, produced, tensors
from ...graph.source import Source
from ...rules.facts import Facts
from ...trace import Axis, Event, Site, TensorFact, Trace
from .axes import AxisBook, key, related

STOPS, STRANDS = 7, 3


@dataclass(frozen=True)
class Stop:
    """One row: the tensor called `name` (or a layer's output, or an operator's, where it is not `bound`) at `site`."""

    site: Site | None
    name: str
    text: str
    axes: tuple[Axis, ...]
    bound: bool = False


@dataclass(frozen=True)
class Route:
    """The strands of the operands, each ending in the operand itself, which the call writes as `names` say; the call
    where they met, and what it gave."""

    op: str
    site: Site
    strands: tuple[tuple[Stop, ...], ...]
    names: tuple[str, ...]
    result: tuple[Axis, ...] | None = None


def route(finding: Finding, trace: Trace, book: AxisBook) -> Route | None:
    """The way to a finding, `None` where no call with tensors is known."""
    facts = finding.facts
    if facts is None:
        return None
    event = event_of(facts, trace)
    given = [fact for fact in operands(event) if fact.kind == "tensor" and fact.sizes] if event else []
    if not given and trace.failure is not None and trace.failure.site == facts.site:
        given = [fact for fact in tensors(trace.failure.module_args) if fact.sizes]
    if not given:
        return None
    strands = tuple(_strand(fact, trace, book) for fact in given[:STRANDS])
    written = _written(facts, trace)
    names = tuple(written if len(written) == len(given) else [strand[-1].name for strand in strands])
    result = event.result if event is not None else None
    made = book.axes(result) if isinstance(result, TensorFact) and result.sizes else None
    op = str(facts.fields.get("op") or facts.fields.get("layer") or (event.op if event else ""))
    return Route(op, facts.site, strands, names, made or _broadcast(facts, strands))


def _written(facts: Facts, trace: Trace) -> list[str]:
    """The operands as the call at the fault writes them."""
    call = Source(trace).node_at(facts.site)
    if not isinstance(call, ast.Call):
        return []
    return [" ".join(ast.unparse(one).split()) for one in (*call.args, *(item.value for item in call.keywords))]


def _broadcast(facts: Facts, strands: tuple[tuple[Stop, ...], ...]) -> tuple[Axis, ...] | None:
    """The shape that the operands broadcast to on their way into one number, where the rule tells it."""
    sizes = [int(size) for size in re.findall(r"\d+", str(facts.fields.get("result", "")))]
    made = []
    for place, size in enumerate(reversed(sizes), 1):
        axes = [strand[-1].axes[-place] for strand in strands if place <= len(strand[-1].axes)]
        made.append(next((axis for axis in axes if axis.size == size), Axis(size)))
    return tuple(reversed(made)) or None


def _strand(fact: TensorFact, trace: Trace, book: AxisBook) -> tuple[Stop, ...]:
    stops = [_named(fact, trace, book)]
    seen: set[int] = set()
    current = fact
    while True:
        event = produced(trace, current)
        if event is None or event.index in seen:
            break
        seen.add(event.index)
        if _told_of(event, trace):
            _add(stops, _made(event, current, trace, book))
        before = [one for one in operands(event) if one.kind == "tensor" and one.sizes]
        if not before:
            break
        axes = book.axes(current)
        current = next((one for one in before if _shares(book.axes(one), axes)), before[0])
        named = _named(current, trace, book)
        if named.site is not None:
            _add(stops, named)
    return tuple(_told(stops))


def _told_of(event: Event, trace: Trace) -> bool:
    """Whether a reader of the script knows this call: no inner part of a library's model, no row of a loader."""
    site = event.site
    if event.modules:
        return len(event.modules) <= 2
    return site is not None and not any(loop.site.line == site.line for loop in trace.loops)


def _told(stops: list[Stop]) -> list[Stop]:
    """Oldest first; where they are too many, the latest and the first."""
    rows = stops[::-1]
    return rows if len(rows) <= STOPS else [rows[0], *rows[len(rows) - STOPS + 1 :]]


def _add(stops: list[Stop], stop: Stop) -> None:
    """Add a row before the last one, unless it tells nothing that the last one does not."""
    last = stops[-1]
    if _same(stop.axes, last.axes):
        stops[-1] = last if last.bound else replace(stop, axes=last.axes)
    else:
        stops.append(stop)


def _named(fact: TensorFact, trace: Trace, book: AxisBook) -> Stop:
    """A tensor as the script's own variable: the line that bound it last."""
    axes = book.axes(fact)
    for one in trace.bound:
        if one.fact.uid == fact.uid and one.fact.sizes == fact.sizes:
            return Stop(one.site, one.name, _line(one.site, trace), axes, bound=True)
    return Stop(None, fact.name, "", axes)


def _made(event: Event, fact: TensorFact, trace: Trace, book: AxisBook) -> Stop:
    module = trace.layer(event)
    layer = module is not None and module.is_torch
    name = module.kind if layer and module is not None else event.op
    text = _line(event.site, trace) if event.site else event.op
    return Stop(event.site, name, text, book.axes(fact))


def _line(site: Site | None, trace: Trace) -> str:
    lines = source_of(site.file, trace).splitlines() if site else []
    return lines[site.line - 1].strip() if site and 0 < site.line <= len(lines) else ""


def _shares(some: tuple[Axis, ...], others: tuple[Axis, ...]) -> bool:
    return any(related(one, other) for one in some for other in others if one.size > 1)


def _same(some: tuple[Axis, ...], others: tuple[Axis, ...]) -> bool:
    return [(axis.size, key(axis)) for axis in some] == [(axis.size, key(axis)) for axis in others]
