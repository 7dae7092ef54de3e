"""The pair of values and indices that a reduction gives is taken for a tensor.

## What it finds
A call that is given, or a method that is called on, the whole result of `max`, `min`, `sort`, `topk`, `median` and
their like over one axis, which is
`(values, indices)`.

## Why it hurts
The script stops. `x.max()` gives a tensor, `x.max(dim=1)` two of them.

## Example
    pooled = features.max(dim=2)
    out = self.fc(pooled)

## Instead
    pooled = features.max(dim=2).values

## Fix safety
Where the positions are intended, not the values, it is `.indices`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import every
from ...graph.origins import Origins
from ...graph.pairs import multiplied_pair
from ...trace import Origin, Trace
from ...trace.said import PairGiven
from ..facts import Facts, Span
from ..remedy import TakePart

code = "SW139"
aliases = ("pair-taken-for-a-tensor",)


def check(trace: Trace) -> Iterator[Facts]:
    """The failing line, and the calls of that reduction over an axis above it, the nearest first."""
    failure = trace.failure
    found = failure.told(PairGiven) if failure is not None and failure.site is not None else None
    name = found.op if found is not None else multiplied_pair(trace)
    if failure is None or not name:
        return
    origins = Origins(trace)
    calls = []
    for node, site in every(trace, ast.Call):
        if (
            getattr(node.func, "attr", "") == name
            and _over_an_axis(node)
            and not isinstance(getattr(node, "parent", None), (ast.Attribute, ast.Subscript))
        ):
            statement = origins.source.statement_on(site.file, site.line)
            targets = statement.targets if isinstance(statement, ast.Assign) and statement.value is node else []
            if not any(isinstance(t, (ast.Tuple, ast.List)) for t in targets):
                calls.append(site)
    calls.sort(
        key=lambda site: (
            site.file != failure.site.file,
            site.line > failure.site.line,
            abs(failure.site.line - site.line),
        )
    )
    yield Facts(
        failure.site,
        why="always" if ops.is_a(name, "pairs") else "why",
        fields={"name": name},
        origins=tuple(Origin("operator", origins.source.site_text(site), site) for site in calls[:3]),
        spans=(Span(failure.site, "(values, indices)"),),
        remedy=TakePart(name, name=name),
    )


def _over_an_axis(node: ast.Call) -> bool:
    given = [*node.args, *(k.value for k in node.keywords if ops.names_axis(k.arg or ""))]
    return ops.is_a(getattr(node.func, "attr", ""), "pairs") or bool(given)


MESSAGES = {
    "en": {
        "message": "{name} returns values and indices here, but the pair is used as a tensor",
        "always": ("{name} always returns a pair: .values holds the numbers, .indices their positions"),
        "why": (
            "without an axis, {name} returns one tensor; with an axis, it returns a pair: .values holds the "
            "numbers, .indices their positions"
        ),
    },
    "es": {
        "message": "{name} devuelve aquí valores e índices, pero el par se usa como tensor",
        "always": ("{name} siempre devuelve un par: .values tiene los números y .indices sus posiciones"),
        "why": (
            "sin eje, {name} devuelve un tensor; con eje, un par: .values tiene los números y .indices sus posiciones"
        ),
    },
    "ja": {
        "message": "ここでの {name} は値と位置の組を返しますが、テンソルとして使われています",
        "always": ("{name} は必ず組を返します。数値は .values、位置は .indices です"),
        "why": (
            "軸を指定しない {name} はテンソルを 1 つ、指定すると組を返します。数値は .values、位置は .indices です"
        ),
    },
}
