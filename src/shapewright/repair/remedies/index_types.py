"""Indices that came as floats: made whole where the data set hands them out, or where the model is given them, all of
them at once."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import passed, written
from ..source import Place, Source

READERS = ("Embedding", "EmbeddingBag")


ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """For an index of floats."""
    failure = case.trace.failure
    if failure is None or case.misfit.wanted_dtype != "int64":
        return
    yield from _made(case) if case.event is not None else ()
    yield from _in_data_set(case)
    operand = next(
        (o for o in written(case) if o.fact.dtype.startswith("float") and isinstance(o.place.node, cst.Name)), None
    )
    found = passed(case, operand) if operand is not None else None
    scope = operand.source.scope(operand.place.line) if operand is not None else None
    if found is None or scope is None:
        return
    source, place = found
    call = next(
        iter(
            sorted(
                (c for c in source.of_kind(cst.Call) if place.within(c) and place.line == c.line),
                key=lambda c: c.end_column - c.column,
            )
        ),
        None,
    )
    names = [p.name.value for p in scope.node.params.params if p.name.value != "self"]
    looked_up = _looked_up(case, operand.source, scope)
    if call is None:
        return
    edits = []
    for number, given in enumerate(call.node.args):
        name = given.keyword.value if given.keyword is not None else names[number] if number < len(names) else ""
        if name in looked_up and not given.star:
            edits.append(source.suffix(source.place(given.value), ".long()"))
    if edits:
        yield Candidate("wrap", tuple(edits), 12, {"code": ".long()", "name": ", ".join(sorted(looked_up))})


def _looked_up(case: Case, source: Source, scope: Place) -> set[str]:
    """Names that the function hands to an embedding as they are."""
    layers = {module.path.split(".")[-1] for module in case.trace.modules.values() if module.kind in READERS}
    found = set()
    for call in source.within(scope, cst.Call):
        func = call.node.func
        if isinstance(func, cst.Attribute) and func.attr.value in layers:
            found |= {given.value.value for given in call.node.args if isinstance(given.value, cst.Name)}
    return found


def _made(case: Case) -> Iterator[Candidate]:
    """The call that made the numbers and was told to make them floats."""
    given = [fact for fact in operands(case.event) if fact.dtype.startswith("float") and not fact.requires_grad]
    for event in (made for fact in given for made in ancestors(case.trace, fact, 12).values()):
        source, call = case.at(
            event.site if event.site is not None and ops.is_a(event.op, "takes_data") else None, cst.Call
        )
        told = [a for a in call.node.args if a.keyword is not None and a.keyword.value == "dtype"] if call else []
        if source is not None and told:
            edit = source.replace(source.place(told[0].value), "torch.long")
            yield Candidate("flag", (edit,), 3, {"code": "dtype=torch.long"})


def _in_data_set(case: Case) -> Iterator[Candidate]:
    """The elements of the tuple that `__getitem__` returns, those before the last, or the first alone."""
    for file in case.trace.sources:
        source = case.source(file)
        for scope in source.of_kind(cst.FunctionDef) if source is not None else ():
            if scope.node.name.value != "__getitem__":
                continue
            for returned in source.within(scope, cst.Return):
                value = returned.node.value
                if not isinstance(value, cst.Tuple):
                    continue
                parts = [source.place(element.value) for element in value.elements]
                for count in range(
                    len(parts), 0, -1
                ):  # the most that still runs: labels that a loss wants as floats refute the wider edit
                    edits = [
                        source.suffix(part, ".long()")
                        for part in parts[:count]
                        if not source.text_of(part).endswith(".long()")
                    ]
                    if edits:
                        yield Candidate(
                            "wrap",
                            tuple(edits),
                            9 + (count == len(parts)) + (len(parts) - count),
                            {"code": ".long()", "name": "__getitem__"},
                        )
