"""A column of predictions made flat before it meets labels: NumPy arrays in a metric; and scores with their classes on
the second axis."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import TurnAxes
from ..candidate import Candidate, Case

ANSWERS = (TurnAxes,)


def propose(case: Case) -> Iterator[Candidate]:
    """At the operand, and where its name is bound."""
    source, place = case.at(case.site if case.remedy.to in ("column", "classes") else None)
    if place is None:
        return
    if case.remedy.to == "classes":
        if isinstance(place.node, cst.Call) and place.node.args:
            edit = source.suffix(
                source.place(place.node.args[0].value),
                ".transpose(1, -1)" if str(case.facts.fields["shape"]).count(",") < 3 else ".movedim(-1, 1)",
            )
            yield Candidate("permute", (edit,), 3, {"code": edit.replacement})
        return
    column = (
        "left"
        if str(case.facts.fields["a"]).count(",") > str(case.facts.fields["b"]).count(",")
        or str(case.facts.fields["a"]).endswith(", 1)")
        else "right"
    )
    node = place.node
    sides = (
        (node.left, node.comparisons[0].comparator)
        if isinstance(node, cst.Comparison)
        else (node.left, node.right)
        if isinstance(node, cst.BinaryOperation)
        else tuple(argument.value for argument in node.args[:2])
        if isinstance(node, cst.Call)
        else ()
    )
    if len(sides) != 2:
        return
    side = source.place(sides[0 if column == "left" else 1])
    if isinstance(side.node, cst.Name):
        bound = source.binding(side.node.value, case.site.line)
        value = getattr(getattr(bound, "node", None), "value", None)
        if isinstance(value, cst.BaseExpression):
            edit = source.suffix(source.place(value), ".squeeze(-1)")
            yield Candidate("squeeze-axis", (edit,), 8, {"code": ".squeeze(-1)"})
    yield Candidate("squeeze-axis", (source.suffix(side, ".squeeze(-1)"),), 20, {"code": ".squeeze(-1)"})
