"""NumPy arrays that do not go together: a transpose too many or one missing, a column that is a plain row of numbers,
rows that were stacked as columns."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case, offered
from ..declared import on_line
from ..source import Place, Source

PRODUCTS = (cst.MatrixMultiply,)


ANSWERS = (Misfit,)


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """On the failing line: `a.T` for `a` and back in a product, `a[:, None]` for `a` where arrays are joined as
    columns."""
    if case.misfit.op != "numpy":
        return
    for place in source.within(statement, cst.Attribute):
        if place.node.attr.value == "T":
            edit = source.replace(place, source.text_of(source.place(place.node.value)))
            yield Candidate("drop", (edit,), 5, {"code": ".T"})
    for product in source.within(statement, cst.BinaryOperation):
        for node in (product.node.right, product.node.left) if isinstance(product.node.operator, PRODUCTS) else ():
            if isinstance(node, (cst.Name, cst.Attribute)) and not source.code(node).strip().endswith(".T"):
                yield _wrapped(source, source.place(node), ".T", 7)
    for call in source.within(statement, cst.Call):
        first = call.node.args[0].value if call.node.args and ops.is_a(source.called(call), "concatenates") else None
        for element in first.elements if isinstance(first, (cst.List, cst.Tuple)) else ():
            at = source.place(element.value)
            if getattr(case.trace.failure.values.get(source.text_of(at)), "rank", 0) == 1:
                yield _wrapped(source, at, "[:, None]", 6)
    yield from _made_turned(case, source, statement)


def _made_turned(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """An array of which rows are picked, where it was made: joined along its last axis, or transposed."""
    for place in source.within(statement, cst.Subscript):
        name, fact = source.code(place.node.value).strip(), case.trace.failure.values.get(source.code(place.node.value))
        bound = source.binding(name, statement.line) if getattr(fact, "rank", 0) == 2 else None
        for call in source.within(bound, cst.Call) if bound is not None else ():
            if ops.is_a(source.called(call), "stacks"):
                yield from offered("dim", source.argument(call, 1, "axis", "-1"), 6, {"dim": "-1", "op": "stack"})
            elif ops.is_a(source.called(call), "takes_data", "joins"):
                yield _wrapped(source, call, ".T", 7)


def _wrapped(source: Source, place: Place, code: str, rank: int) -> Candidate:
    return Candidate("wrap", (source.suffix(place, code),), rank, {"code": code, "name": source.text_of(place)})
