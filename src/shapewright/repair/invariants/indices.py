"""The index of a maximum is compared with one index for each of them, not with every column."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, produced
from .change import Change

TEXTS = {
    "columns": {
        "en": (
            "with this change, {op} compares indices {one} with a tensor {other} that has one column for each possible "
            "index"
        ),
        "es": (
            "con este cambio, {op} compara índices {one} con un tensor {other} que tiene una columna por cada índice "
            "posible"
        ),
        "ja": (
            "{op} はインデックス {one} を、取りうるインデックスごとに 1 列を持つテンソル {other} とそのまま比較するこ"
            "とになります"
        ),
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the comparisons on the lines that the findings name."""
    lines = {finding.site.line for _, finding in change.asked}
    for event in change.after.events:
        pair = operands(event)[:2] if ops.is_a(event.op, "compares") else []
        if len(pair) < 2 or event.site is None or event.site.line not in lines:
            continue
        for one, other in (pair, reversed(pair)):
            made = produced(change.after, one)
            while made is not None and ops.is_a(made.op, "unsqueezes", "squeezes", "casts") and operands(made):
                made = produced(change.after, operands(made)[0])
            wider = one.shape and other.shape and other.shape != one.shape and len(other.shape) >= len(one.shape)
            if wider and made is not None and ops.is_a(made.op, "chooses_index"):
                yield "columns", {"op": event.op, "one": str(one.shape), "other": str(other.shape)}
