"""Parameters changed in place by hand, taken out of autograd."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ...trace.said import Refusal
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "no-grad": {
        "en": "update the parameters outside autograd: {code}",
        "es": "actualizar los parámetros fuera de autograd: {code}",
        "ja": "autograd の外でパラメータを更新する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a leaf that requires a gradient is changed in place: `with torch.no_grad():` around the change and its like
    beside it."""
    failure = case.trace.failure
    if failure is None or Refusal.LEAF not in failure.said:
        return
    source, statement = case.statement(case.site)
    if statement is None or not isinstance(statement.node, cst.SimpleStatementLine):
        return
    first, last = _run(source, statement)
    edit = source.below_header(first, last, "with torch.no_grad():")
    yield Candidate("no-grad", (edit,), 4, {"code": "with torch.no_grad()"})


def _run(source: Source, statement: Place) -> tuple[int, int]:
    """First and last line of the statements around this one that change something in place, in one block."""
    block = [
        p
        for p in source.places
        if isinstance(p.node, cst.SimpleStatementLine) and p.column == statement.column and _changes(p.node)
    ]
    lines = {p.line: p for p in block}
    first, last = statement, statement
    while (above := next((p for p in block if p.end_line == first.line - 1), None)) is not None:
        first = above
    while last.end_line + 1 in lines:
        last = lines[last.end_line + 1]
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
