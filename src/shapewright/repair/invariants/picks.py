"""No size is fitted to how many rows a selection leaves: another mask, or other data, would leave others."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.selected import selection
from ..deciders import conflicts
from .change import SIZES, Change

TEXTS = {
    "picked": {
        "en": "{size} is only how many rows the selection on line {line} leaves in this run",
        "es": "{size} es solo el número de filas que deja en esta ejecución la selección de la línea {line}",
        "ja": "{size} は、{line} 行目の選択がこの実行で残した行数にすぎません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the operands of the calls that were refused, of which one holds what was picked."""
    for candidate, (trace, _) in zip(change.candidates, change.asked):
        if candidate.title not in SIZES or trace.failure is None:
            continue
        for fact, axis, _ in conflicts(trace.failure):
            event = selection(trace, fact, axis)
            if event is not None and any(str(fact.sizes[axis]) in edit.replacement for edit in candidate.edits):
                line = event.site.line if event.site is not None else 0
                yield "picked", {"size": fact.sizes[axis], "line": line}
