"""A list that grows from one update to the next emptied where the script empties one beside it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import in_file
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "emptied": {
        "en": "also empty the list: {code}",
        "es": "vaciar también la lista: {code}",
        "ja": "リストも空にする: {code}",
    },
}
GROWN, EMPTIES = "append", "clear"


@in_file
def propose(case: Case, source: Source) -> Iterator[Candidate]:
    """For each list that is appended to and never emptied, below each line that empties another one: where a call
    refused what later rounds made longer."""
    if case.event is None or not _again(case):
        return
    emptied = [pair for place in source.of_kind(cst.SimpleStatementLine) for pair in _emptied(source, place)]
    known = {_last(name) for name, _ in emptied}
    grown = dict.fromkeys(
        source.text_of(source.place(call.node.func.value))
        for call in source.of_kind(cst.Call)
        if isinstance(call.node.func, cst.Attribute) and call.node.func.attr.value == GROWN
    )
    for name in (name for name in grown if _last(name) not in known):
        for other, line in emptied:
            owner = other.rpartition(".")[0]
            new = f"{owner}.{_last(name)}" if owner else name
            code = source.text_of(line).strip().replace(other, new)
            yield Candidate("emptied", (source.line_after(line, code),), 12, {"code": code})


def _again(case: Case) -> bool:
    """Whether the refused call ran before, on another size."""
    site = case.event.site
    return any(event.site == site and event.op == case.event.op for event in case.trace.events)


def _emptied(source: Source, line: Place) -> Iterator[tuple[str, Place]]:
    """What a line empties: `x` of `x.clear()`, `del x[:]` and, in a function or loop, of `x = []`."""
    (part, *more) = line.node.body
    if more:
        return
    if isinstance(part, cst.Del) and isinstance(part.target, cst.Subscript):
        whole = source.text_of(source.place(part.target)).endswith("[:]")
        if whole:
            yield source.text_of(source.place(part.target.value)), line
    elif isinstance(part, cst.Assign) and isinstance(part.value, cst.List) and not part.value.elements:
        scope = source.scope(line.line)
        made = scope is not None and scope.node.name.value == "__init__"
        if len(part.targets) == 1 and not made and source.enclosing(line.line, (cst.FunctionDef, cst.For, cst.While)):
            yield source.text_of(source.place(part.targets[0].target)), line
    elif isinstance(part, cst.Expr) and isinstance(part.value, cst.Call):
        func = part.value.func
        if isinstance(func, cst.Attribute) and func.attr.value == EMPTIES and not part.value.args:
            yield source.text_of(source.place(func.value)), line


def _last(name: str) -> str:
    return name.rpartition(".")[2]
