"""A condition under which a shortcut is projected, widened by the sizes that the projection joins."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "condition": {
        "en": "also create the layer when {code}",
        "es": "crear la capa también cuando {code}",
        "ja": "{code} のときも層を作る",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where an origin of a size mismatch is an `if` that makes a layer: `if a != 1` becomes `if a != 1 or inputs !=
    outputs`, with the first two arguments of the first layer that it makes."""
    seen: set[tuple[str, int]] = set()
    for source, place, later in _conditions(case):
        if (source.file, place.line) not in seen:
            seen.add((source.file, place.line))
            yield from _widened(source, place, later)


def _conditions(case: Case) -> Iterator[tuple[Source, Place, int]]:
    """Around what led to the fault; and all those in the class whose block failed: where its maker decides on a
    shortcut."""
    for site in case.sites[1:]:
        source = case.source(site.file)
        around = source.enclosing(site.line, cst.If)[:1] if source is not None else ()
        yield from ((source, place, 0) for place in around if site.line - place.line <= 8)
    modules = reversed(case.event.modules if case.event is not None else ())
    stacks = (case.trace.modules[uid].stack for uid in modules if uid in case.trace.modules)
    for site in (site for stack in stacks for site in reversed(stack)):
        source = case.source(site.file)
        scope = source.scope(site.line) if source else None
        yield from ((source, place, 4) for place in source.within(scope, cst.If)) if scope is not None else ()


def _widened(source: Source, place: Place, later: int) -> Iterator[Candidate]:
    for call in source.within(source.place(place.node.body), cst.Call):
        plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
        kind = source.text_of(source.place(call.node.func)).rsplit(".", 1)[-1]
        if len(plain) < 2 or not (ops.layer(kind) and ops.layer(kind).takes):
            continue
        a, b = (source.text_of(source.place(value)) for value in plain[:2])
        test = source.place(place.node.test)
        text = source.text_of(test)
        if f"{a} != {b}" in text or a == b:
            return
        if isinstance(place.node.test, cst.BooleanOperation) and isinstance(place.node.test.operator, cst.And):
            text = f"({text})"
        yield Candidate(
            "condition", (source.replace(test, f"{text} or {a} != {b}"),), 3 + later, {"code": f"{a} != {b}"}
        )
        return
