"""NumPy arrays that do not go together: a transpose too many or one missing, a column that is a plain row of
numbers."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case

PRODUCTS = (cst.MatrixMultiply,)


ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """On the failing line: `a.T` for `a` and back in a product, `a[:, None]` for `a` where arrays are joined as
    columns."""
    source = case.source(case.site.file)
    statement = source.statement(case.site.line) if source is not None and case.misfit.op == "numpy" else None
    if statement is None:
        return
    values = case.trace.failure.values if case.trace.failure is not None else {}
    for place in source.within(statement, cst.Attribute):
        if place.node.attr.value == "T":
            yield Candidate(
                "drop", (source.replace(place, source.text_of(source.place(place.node.value))),), 5, {"code": ".T"}
            )
    products = [p for p in source.within(statement, cst.BinaryOperation) if isinstance(p.node.operator, PRODUCTS)]
    for product in products:
        for side in (product.node.right, product.node.left):
            if isinstance(side, (cst.Name, cst.Attribute)) and not (
                isinstance(side, cst.Attribute) and side.attr.value == "T"
            ):
                yield Candidate(
                    "wrap",
                    (source.suffix(source.place(side), ".T"),),
                    7,
                    {"code": ".T", "name": source.text_of(source.place(side))},
                )
    for call in source.within(statement, cst.Call):
        if (
            ops.is_a(source.text_of(source.place(call.node.func)).split(".")[-1], "concatenates")
            and call.node.args
            and isinstance(call.node.args[0].value, (cst.List, cst.Tuple))
        ):
            for element in call.node.args[0].value.elements:
                at = source.place(element.value)
                if getattr(values.get(source.text_of(at)), "rank", 0) == 1:
                    yield Candidate(
                        "wrap", (source.suffix(at, "[:, None]"),), 6, {"code": "[:, None]", "name": source.text_of(at)}
                    )
