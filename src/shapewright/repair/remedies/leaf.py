"""Parameters changed in place by hand, taken out of autograd."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ...trace.said import Refusal
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "no-grad": {
        "en": "update the parameters outside autograd: {code}",
        "es": "actualizar los parámetros fuera de autograd: {code}",
        "ja": "autograd の外でパラメータを更新する: {code}",
    },
}


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """Where a leaf that requires a gradient is changed in place: `with torch.no_grad():` around the change and its like
    beside it."""
    if Refusal.LEAF in case.failure.said and isinstance(statement.node, cst.SimpleStatementLine):
        edit = source.below_header(*_run(source, statement), "with torch.no_grad():")
        yield Candidate("no-grad", (edit,), 4, {"code": "with torch.no_grad()"})


def _run(source: Source, statement: Place) -> tuple[int, int]:
    """First and last line of the statements around this one that change something in place, in one block."""
    lines = source.of_kind(cst.SimpleStatementLine)
    block = [p for p in lines if p.column == statement.column and _changes(p.node)]
    begins, ends = {p.line: p for p in block}, {p.end_line: p for p in reversed(block)}
    first = last = statement
    while first.line - 1 in ends:
        first = ends[first.line - 1]
    while last.end_line + 1 in begins:
        last = begins[last.end_line + 1]
    return first.line, last.end_line


def _changes(node: cst.SimpleStatementLine) -> bool:
    inner = node.body[0]
    if isinstance(inner, cst.AugAssign):
        return True
    call = inner.value if isinstance(inner, cst.Expr) else None
    return (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and bool(re.fullmatch(r"[a-z]\w*[a-z]_", call.func.attr.value))
        and call.func.attr.value != "zero_"
    )
