"""No size is fitted to how many rows a selection leaves: another mask, or other data, would leave others. An index that
was refused still asks about every place of what it reads."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...graph.selected import selection
from ..deciders import conflicts
from .change import SIZES, Change

TEXTS = {
    "picked": {
        "en": "{size} is only how many rows the selection on line {line} leaves in this run",
        "es": "{size} es solo el número de filas que deja en esta ejecución la selección de la línea {line}",
        "ja": "{size} は、{line} 行目の選択がこの実行で残した行数にすぎません",
    },
    "unread-places": {
        "en": "with this change, {op} reads {read} of the {size} places on axis {axis}",
        "es": "con este cambio, {op} lee {read} de las {size} posiciones del eje {axis}",
        "ja": "この変更では、{op} は軸 {axis} の {size} か所のうち {read} か所だけを読みます",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the operands of the calls that were refused, of which one holds what was picked, or is an index."""
    yield from _unread(change)
    for candidate, (trace, _) in zip(change.candidates, change.asked):
        if candidate.title not in SIZES or trace.failure is None:
            continue
        for fact, axis, _ in conflicts(trace.failure):
            event = selection(trace, fact, axis)
            if event is not None and any(str(fact.sizes[axis]) in edit.replacement for edit in candidate.edits):
                line = event.site.line if event.site is not None else 0
                yield "picked", {"size": fact.sizes[axis], "line": line}


def _unread(change: Change) -> Iterator[tuple[str, dict]]:
    """Calls on the lines that the findings name whose index is shorter than what it picks from, along another axis than
    the one it picks along, where the refused one was not."""
    for trace, finding in change.asked:
        refused = trace.failure.event if trace.failure is not None else None
        if refused is None or not ops.is_a(refused.op, "along") or len(operands(refused)) < 2:
            continue
        given, index = operands(refused)[:2]
        for event in change.after.events:
            if event.op != refused.op or event.site is None or event.site.line != finding.site.line:
                continue
            picked, read = operands(event)[:2]
            if not given.rank == index.rank == picked.rank == read.rank:
                continue
            dim = next((part for part in event.args if isinstance(part, int)), event.kwargs.get("dim", 0)) % read.rank
            for axis in (axis for axis in range(read.rank) if axis != dim and index.sizes[axis] >= given.sizes[axis]):
                if read.sizes[axis] < picked.sizes[axis]:
                    fields = {"op": event.op, "read": read.sizes[axis], "size": picked.sizes[axis], "axis": axis}
                    yield "unread-places", fields
