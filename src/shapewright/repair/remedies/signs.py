"""A term of the loss with its sign turned over, the greater of two for the smaller, a score made a loss."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Complement, TurnSign
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Complement, TurnSign)


def propose(case: Case) -> Iterator[Candidate]:
    """At the term that the finding names."""
    source, remedy = case.source(case.site.file), case.remedy
    place = source.at(case.site) if source is not None else None
    if place is None:
        return
    if isinstance(remedy, Complement):
        yield from _complement(case, source, place)
    elif remedy.minus:
        yield from _subtracted(source, place)
    elif remedy.assigned:
        for assign in source.within(source.statement(place.line), (cst.Assign, cst.Return)):
            if assign.node.value is not None:
                yield from _negated(source, source.place(assign.node.value))
    elif remedy.term is not None:
        outer = source.at(remedy.term)
        if (
            outer is not None
            and isinstance(outer.node, cst.BinaryOperation)
            and isinstance(outer.node.operator, cst.Add)
        ):
            left, right = (source.text_of(source.place(side)) for side in (outer.node.left, outer.node.right))
            yield Candidate("sign", (source.replace(outer, f"{left} - {right}"),), 4)
    else:
        yield from _negated(source, place)


def _negated(source: Source, place: Place) -> Iterator[Candidate]:
    """A minus before a term, or taken away."""
    text = source.text_of(place)
    sum_of = isinstance(place.node, cst.BinaryOperation) and isinstance(place.node.operator, (cst.Add, cst.Subtract))
    code = text[1:].lstrip() if text.startswith("-") else f"-({text})" if sum_of else f"-{text}"
    yield Candidate("sign", (source.replace(place, code),), 4)


def _subtracted(source: Source, place: Place) -> Iterator[Candidate]:
    """`a + term` becomes `a - term`."""
    around = [
        p
        for p in source.enclosing(place.line, cst.BinaryOperation)
        if isinstance(p.node.operator, cst.Add) and place.within(source.place(p.node.right))
    ]
    for outer in around[:1]:
        left, right = source.text_of(source.place(outer.node.left)), source.text_of(source.place(outer.node.right))
        yield Candidate("sign", (source.replace(outer, f"{left} - {right}"),), 4)
    statement = source.statement(place.line)
    for grown in source.within(statement, cst.AugAssign) if statement is not None and not around else ():
        if isinstance(grown.node.operator, cst.AddAssign):
            target, value = (
                source.text_of(source.place(grown.node.target)),
                source.text_of(source.place(grown.node.value)),
            )
            yield Candidate("sign", (source.replace(grown, f"{target} -= {value}"),), 5)
    yield from (Candidate("sign", c.edits, 8) for c in _negated(source, place))


def _complement(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """One minus the score: where the function returns it, else where it is computed."""
    statement, scope = source.statement(place.line), source.scope(place.line)
    names = (
        [
            a.node.targets[0].target.value
            for a in source.within(statement, cst.Assign)
            if isinstance(a.node.targets[0].target, cst.Name)
        ]
        if statement is not None
        else []
    )
    for back in source.within(scope, cst.Return) if scope is not None and names else ():
        if back.node.value is not None:
            value = source.place(back.node.value)
            text = source.text_of(value)
            if re.fullmatch(rf"{names[0]}(\.(mean|sum)\(\))?", text):
                yield Candidate(
                    "wrap", (source.replace(value, f"1 - {text}"),), 4, {"code": f"1 - {text}", "name": names[0]}
                )
    text = source.text_of(place)
    holder = source.enclosing(place.line, (cst.Call, cst.Attribute))
    code = f"(1 - {text})" if any(place.within(p) and p != place for p in holder) else f"1 - {text}"
    yield Candidate("wrap", (source.replace(place, code),), 6, {"code": "1 - …", "name": names[0] if names else "…"})
