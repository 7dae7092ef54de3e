"""A column of predictions made flat before it meets labels: NumPy arrays in a metric; and scores with their classes on
the second axis."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import TurnAxes
from ..candidate import Candidate, Case
from ..declared import at
from ..operands import expressions
from ..source import Place, Source

ANSWERS = (TurnAxes,)


def propose(case: Case) -> Iterator[Candidate]:
    """At the operand, and where its name is bound."""
    if case.remedy.to in KINDS:
        yield from KINDS[case.remedy.to](case)


@at()
def _classes(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    code = ".transpose(1, -1)" if str(case.facts.fields["shape"]).count(",") < 3 else ".movedim(-1, 1)"
    for given in place.node.args[:1] if isinstance(place.node, cst.Call) else ():
        edit = source.suffix(source.place(given.value), code)
        yield Candidate("permute", (edit,), 3, {"code": edit.replacement})


@at()
def _column(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    one, other = (str(case.facts.fields[name]) for name in ("a", "b"))
    first, node = one.count(",") > other.count(",") or one.endswith(", 1)"), place.node
    sides = [given.value for given in node.args[:2]] if isinstance(node, cst.Call) else list(expressions(node))
    if len(sides) != 2:
        return
    side = source.place(sides[0 if first else 1])
    bound = source.binding(side.node.value, case.site.line) if isinstance(side.node, cst.Name) else None
    value = getattr(getattr(bound, "node", None), "value", None)
    if isinstance(value, cst.BaseExpression):
        edit = source.suffix(source.place(value), ".squeeze(-1)")
        yield Candidate("squeeze-axis", (edit,), 8, {"code": ".squeeze(-1)"})
    yield Candidate("squeeze-axis", (source.suffix(side, ".squeeze(-1)"),), 20, {"code": ".squeeze(-1)"})


KINDS = {"column": _column, "classes": _classes}
