"""A mean and a deviation of all values of a table, computed for each of its columns."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import ScaleColumns
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (ScaleColumns,)
TITLES = {
    "per-column": {
        "en": "compute the mean and the standard deviation of each column: {code}",
        "es": "calcular la media y la desviación estándar de cada columna: {code}",
        "ja": "平均と標準偏差を列ごとに計算する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For each expression of which both are computed without an axis, the nearest above the finding first."""
    found: dict[tuple[str, int, str], list[tuple[Source, Place, str]]] = {}
    for source, call in case.calls():
        name, free = source.called(call), bool(library(source.text, source.code(call.node.func)))
        plain = len(call.node.args) == free and isinstance(call.node.func, cst.Attribute)
        if plain and ops.is_a(name, "averages", "spreads"):
            of = source.code(call.node.args[0].value if free else call.node.func.value).strip()
            scope = source.scope(call.line)
            found.setdefault((source.file, scope.line if scope else 0, of), []).append((source, call, name))
    for calls in sorted(found.values(), key=lambda calls: abs(calls[-1][1].line - case.site.line)):
        if {ops.is_a(name, "averages") for *_, name in calls} == {True, False}:
            edits = [source.argument(call, 1, "axis", "0") for source, call, _ in calls]
            texts = [source.text_of(call)[:-1] for source, call, _ in calls]
            code = ", ".join(dict.fromkeys(f"{text}{', ' if not text.endswith('(') else ''}axis=0)" for text in texts))
            yield Candidate("per-column", tuple(edits), 4, {"code": code})
