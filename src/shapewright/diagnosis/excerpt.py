"""Which source lines a finding shows, and which shapes stand beside them. It draws nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..graph.flow import operands, shown, tensors
from ..rules.facts import Facts
from ..trace import Event, TensorFact, Trace
from .model import Excerpt, ExcerptLine, Label
from .paths import as_given, site_as_given

NEAR = 12  # a line that made an operand is shown when it is at most this far above the fault
MOST = 6  # lines of one excerpt


def event_of(facts: Facts, trace: Trace) -> Event | None:
    """The call that the facts speak of: the event that they name, the failing one, or the last at their site."""
    if facts.event is not None:
        found = next((event for event in trace.events if event.index == facts.event), None)
        if found is not None:
            return found
    failed = trace.failure.event if trace.failure else None
    if failed is not None and failed.site is not None and _same_line(failed, facts):
        return failed
    return next((event for event in reversed(trace.events) if event.site and _same_line(event, facts)), None)


def labels_of(facts: Facts, event: Event | None, trace: Trace) -> tuple[Label, ...]:
    """The rule's own labels, else one per tensor operand of the call, named where the name is known."""
    if facts.spans:
        return tuple(Label(site_as_given(span.site, trace.script), span.label) for span in facts.spans)
    if event is None:
        return ()
    here = site_as_given(facts.site, trace.script)
    return tuple(Label(here, f"{fact.name} {shape_text(fact)}".strip()) for fact in operands(event)[:4])


def excerpt_of(facts: Facts, event: Event | None, trace: Trace) -> Excerpt:
    """The fault's own lines, the labelled lines, the lines that made the operands, and the line that called."""
    text = source_of(facts.site.file, trace)
    if not text:
        return Excerpt()
    lines = text.splitlines()
    first, last = facts.site.line, max(facts.site.line, facts.site.end_line)
    wanted = set(range(first, last + 1)) if last - first < MOST else {first}
    wanted |= {span.site.line for span in facts.spans if _same_file(span.site.file, facts.site.file)}
    nearby = [line for line in _producers(event, facts, trace) if first - NEAR <= line < first]
    for line in (*sorted(nearby, reverse=True), *_made_elsewhere(event, facts, trace)):
        if len(wanted) < MOST:
            wanted.add(line)
    shown = tuple(
        ExcerptLine(line, lines[line - 1], shapes_at(facts.site.file, line, trace))
        for line in sorted(wanted)
        if 0 < line <= len(lines)
    )
    return Excerpt(as_given(facts.site.file, trace.script), shown)


def shapes_at(file: str, line: int, trace: Trace) -> str:
    """The shapes that the statement on this line bound, in the form of the page: `(batch=1, 1)`; several with their
    names."""
    bound: dict[str, tuple[int, ...]] = {}
    for site, name, shape in trace.bindings:
        if site.line == line and name not in bound and _same_file(site.file, file):
            bound[name] = tuple(shape)
    facts = [
        fact
        for event in trace.events
        if event.site and event.site.line == line and _same_file(event.site.file, file)
        for fact in tensors(event.result)
    ]
    named = {fact.shape: shape_text(fact) for fact in facts if any(axis.role for axis in fact.axes)}
    texts = {name: named.get(shape, shown(shape)) for name, shape in bound.items()}
    if len(texts) == 1:
        return next(iter(texts.values()))
    return " · ".join(f"{name} {text}" for name, text in list(texts.items())[:3])


def shape_text(fact: TensorFact) -> str:
    """`(batch=1, 1)`, with the names of axes where they are known."""
    if fact.shape is None:
        return str(fact.value)
    if len(fact.axes) == len(fact.shape) and any(axis.role for axis in fact.axes):
        return "(" + ", ".join(axis.label for axis in fact.axes) + ")"
    return shown(fact.shape)


def source_of(file: str, trace: Trace) -> str:
    """The text of a user file as it ran, empty where it was not kept."""
    if file in trace.sources:
        return trace.sources[file]
    return next((text for name, text in trace.sources.items() if _same_file(name, file)), "")


def _same_file(one: str, other: str) -> bool:
    return one == other or os.path.abspath(one) == os.path.abspath(other)


def _same_line(event: Event, facts: Facts) -> bool:
    site = event.site
    return site is not None and site.line == facts.site.line and _same_file(site.file, facts.site.file)


def _made_elsewhere(event: Event | None, facts: Facts, trace: Trace) -> Iterator[int]:
    """Lines of the fault's file that bound a tensor on its way here (the origins that are such lines), and the line
    that called."""
    bound = {site.line for site, _, _ in trace.bindings if _same_file(site.file, facts.site.file)}
    lines = [
        origin.site.line for origin in facts.origins if origin.site and _same_file(origin.site.file, facts.site.file)
    ]
    yield from (line for line in lines if line in bound)
    if event is not None and len(event.stack) > 1 and _same_file(event.stack[-2].file, facts.site.file):
        yield event.stack[-2].line


def _producers(event: Event | None, facts: Facts, trace: Trace) -> Iterator[int]:
    """Lines of the fault's file that made the operands of the call, directly or through the statement that called a
    module."""
    if event is None:
        return
    by_index = {made.index: made for made in trace.events}
    for fact in operands(event):
        made = by_index.get(fact.producer)
        for site in reversed((*made.stack, made.site) if made else ()):
            if site is not None and _same_file(site.file, facts.site.file) and site.function == facts.site.function:
                yield site.line
                break
