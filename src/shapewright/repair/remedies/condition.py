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
        "en": "also project the shortcut when {code}",
        "es": "proyectar el atajo también cuando {code}",
        "ja": "{code} のときもショートカットを射影する",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where an origin of a size mismatch is an `if` that makes a layer: `if a != 1` becomes `if a != 1 or inputs !=
    outputs`, with the first two arguments of the first layer that it makes."""
    if not case.finding.is_loud:
        return
    seen = set()
    for origin in case.facts.origins:
        site = origin.site
        source = case.source(site.file) if site is not None else None
        if source is None:
            continue
        for place in source.enclosing(site.line, cst.If)[:1]:
            if (source.file, place.line) not in seen and site.line - place.line <= 8:
                seen.add((source.file, place.line))
                yield from _widened(source, place)
    event = case.event
    for uid in reversed(
        event.modules if event is not None else ()
    ):  # the class whose block failed: where its maker decides on a shortcut
        for site in reversed(case.trace.modules[uid].stack if uid in case.trace.modules else ()):
            source = case.source(site.file)
            scope = source.scope(site.line) if source else None
            if scope is None:
                continue
            for place in source.within(scope, cst.If):
                if (source.file, place.line) not in seen:
                    seen.add((source.file, place.line))
                    yield from _widened(source, place, 4)


def _widened(source: Source, place: Place, later: int = 0) -> Iterator[Candidate]:
    body = Place(place.node.body, *_span(source, place.node.body))
    for call in source.within(body, cst.Call):
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


def _span(source: Source, node: cst.CSTNode) -> tuple[int, int, int, int]:
    place = source.place(node)
    return place.line, place.column, place.end_line, place.end_column
