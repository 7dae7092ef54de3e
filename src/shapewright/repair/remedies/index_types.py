"""Indices that came as floats: made whole where the data set hands them out, or where the model is given them, all of
them at once."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.training import ancestors
from ...rules.remedy import Recast
from ..candidate import Candidate, Case
from ..operands import passed, written
from ..source import Place, Source

READERS = ("Embedding", "EmbeddingBag")


ANSWERS = (Recast,)


def propose(case: Case) -> Iterator[Candidate]:
    """For an index of floats."""
    if case.remedy.wanted_dtype == "int64":
        yield from _made(case) if case.event is not None else ()
        yield from _in_data_set(case)
        yield from _handed(case)


def _handed(case: Case) -> Iterator[Candidate]:
    """All arguments of the model's call that its tables look up."""
    floats = (o for o in written(case) if o.fact.dtype.startswith("float") and isinstance(o.place.node, cst.Name))
    operand = next(floats, None)
    found = next(passed(case, operand), None) if operand is not None else None
    scope = operand.source.scope(operand.place.line) if operand is not None else None
    if found is None or scope is None:
        return
    source, place = found
    calls = [c for c in source.of_kind(cst.Call) if place.within(c) and place.line == c.line]
    names = [p.name.value for p in scope.node.params.params if p.name.value != "self"]
    looked_up = _looked_up(case, operand.source, scope)
    edits = []
    for number, given in enumerate(min(calls, key=lambda c: c.end_column - c.column).node.args if calls else ()):
        name = given.keyword.value if given.keyword is not None else names[number] if number < len(names) else ""
        if name in looked_up and not given.star:
            edits.append(source.suffix(source.place(given.value), ".long()"))
    if edits:
        yield Candidate("wrap", tuple(edits), 12, {"code": ".long()", "name": ", ".join(sorted(looked_up))})


def _looked_up(case: Case, source: Source, scope: Place) -> set[str]:
    """Names that the function hands to an embedding as they are."""
    layers = [module.path.split(".")[-1] for module in case.trace.modules.values() if module.kind in READERS]
    given = (given.value for call in source.methods(scope, *layers) for given in call.node.args)
    return {node.value for node in given if isinstance(node, cst.Name)}


def _made(case: Case) -> Iterator[Candidate]:
    """The call that made the numbers and was told to make them floats."""
    given = [fact for fact in operands(case.event) if fact.dtype.startswith("float") and not fact.requires_grad]
    for event in (made for fact in given for made in ancestors(case.trace, fact, 12).values()):
        for source, call in case.found(event.site if ops.is_a(event.op, "takes_data") else None, cst.Call):
            told = source.given(call, None, "dtype")
            if told is not None:
                edit = source.replace(source.place(told), "torch.long")
                yield Candidate("flag", (edit,), 3, {"code": "dtype=torch.long"})


def _in_data_set(case: Case) -> Iterator[Candidate]:
    """The elements of the tuple that `__getitem__` returns, those before the last, or the first alone."""
    scopes = ((source, scope) for source in case.files() for scope in source.of_kind(cst.FunctionDef))
    for source, scope in scopes:
        for returned in source.within(scope, cst.Return) if scope.node.name.value == "__getitem__" else ():
            value = returned.node.value
            parts = [source.place(part.value) for part in value.elements] if isinstance(value, cst.Tuple) else []
            # the most that still runs: labels that a loss wants as floats refute the wider edit
            for count in range(len(parts), 0, -1):
                plain = [part for part in parts[:count] if not source.text_of(part).endswith(".long()")]
                rank = 9 + (count == len(parts)) + (len(parts) - count)
                if plain:
                    edits = tuple(source.suffix(part, ".long()") for part in plain)
                    yield Candidate("wrap", edits, rank, {"code": ".long()", "name": "__getitem__"})
