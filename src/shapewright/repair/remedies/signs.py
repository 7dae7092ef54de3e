"""A term of the loss with its sign turned over, the greater of two for the smaller, a score made a loss."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import POINTWISE, SAME_VALUES, forward
from ...rules.remedy import Complement, TurnSign
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (Complement, TurnSign)
NEAR = 4  # calls between a term and the loss that reads it


@at()
def propose(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """At the term that the finding names."""
    remedy = case.remedy
    if isinstance(remedy, Complement):
        yield from _complement(source, place)
    elif remedy.minus:
        yield from _subtracted(source, place)
    elif remedy.assigned:
        for value in _values(source, source.statement(place.line)):
            yield _negated(source, value)
    elif remedy.term is not None:
        outer = source.at(remedy.term)
        yield from [_minus(source, outer)] if outer is not None and (_adds(outer) or _subtracts(outer)) else ()
    else:
        yield _negated(source, place)
        yield from _where_read(case, source, place)


def _where_read(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """The name that the finding's statement binds, with a minus where a loss on another line reads it."""
    statement, event = source.statement(place.line), case.event
    assigns = source.within(statement, cst.Assign) if statement is not None else ()
    names = {
        target.target.value for one in assigns for target in one.node.targets if isinstance(target.target, cst.Name)
    }
    readers = forward(case.trace, event, SAME_VALUES | POINTWISE, NEAR) if event is not None and names else ()
    losses = dict.fromkeys(one.site for one in readers if ops.is_a(one.op, "losses") and one.site is not None)
    for home, call in (found for site in losses for found in case.found(site, cst.Call)):
        same = home is source and source.scope(call.line) is source.scope(place.line) and call.line != place.line
        for given in call.node.args if same else ():
            if isinstance(given.value, cst.Name) and given.value.value in names:
                yield _negated(source, source.place(given.value), 6)


def _values(source: Source, around: Place) -> list[Place]:
    """What is assigned and returned within a place."""
    found = (place.node.value for place in source.within(around, (cst.Assign, cst.Return)))
    return [source.place(value) for value in found if value is not None]


def _adds(place: Place) -> bool:
    return isinstance(place.node, cst.BinaryOperation) and isinstance(place.node.operator, cst.Add)


def _subtracts(place: Place) -> bool:
    return isinstance(place.node, cst.BinaryOperation) and isinstance(place.node.operator, cst.Subtract)


def _minus(source: Source, outer: Place) -> Candidate:
    """`a - b` for `a + b`, and the other way round."""
    right = source.place(outer.node.right)
    read = source.atom if _adds(right) or _subtracts(right) else source.text_of
    left, right = source.text_of(source.place(outer.node.left)), read(right)
    return Candidate("sign", (source.replace(outer, f"{left} {'-' if _adds(outer) else '+'} {right}"),), 4)


def _negated(source: Source, place: Place, rank: int = 4) -> Candidate:
    """A minus before a term, or taken away."""
    turned = [p for p in source.enclosing(place.line, cst.UnaryOperation) if p.node.expression is place.node]
    if turned and isinstance(turned[0].node.operator, cst.Minus):
        return Candidate("sign", (source.replace(turned[0], source.text_of(place)),), rank)
    text = source.text_of(place)
    sum_of = isinstance(place.node, cst.BinaryOperation) and isinstance(place.node.operator, (cst.Add, cst.Subtract))
    code = text[1:].lstrip() if text.startswith("-") else f"-({text})" if sum_of else f"-{text}"
    return Candidate("sign", (source.replace(place, code),), rank)


def _subtracted(source: Source, place: Place) -> Iterator[Candidate]:
    """`a + term` becomes `a - term`."""
    sums = [p for p in source.enclosing(place.line, cst.BinaryOperation) if _adds(p)]
    around = [p for p in sums if place.within(source.place(p.node.right))]
    yield from [_minus(source, outer) for outer in around[:1]]
    statement = source.statement(place.line) if not around else None
    for grown in source.within(statement, cst.AugAssign) if statement is not None else ():
        if isinstance(grown.node.operator, cst.AddAssign):
            target, value = (source.text_of(source.place(part)) for part in (grown.node.target, grown.node.value))
            yield Candidate("sign", (source.replace(grown, f"{target} -= {value}"),), 5)
    yield _negated(source, place, 8)


def _complement(source: Source, place: Place) -> Iterator[Candidate]:
    """One minus the score: where the function returns it, else where it is computed."""
    statement, scope = source.statement(place.line), source.scope(place.line)
    assigns = source.within(statement, cst.Assign) if statement is not None else ()
    targets = [assign.node.targets[0].target for assign in assigns]
    names = [target.value for target in targets if isinstance(target, cst.Name)]
    returns = source.within(scope, cst.Return) if scope is not None and names else ()
    for value in (source.place(back.node.value) for back in returns if back.node.value is not None):
        text = source.text_of(value)
        if re.fullmatch(rf"{names[0]}(\.(mean|sum)\(\))?", text):
            fields = {"code": f"1 - {text}", "name": names[0]}
            yield Candidate("wrap", (source.replace(value, f"1 - {text}"),), 4, fields)
    holder = source.enclosing(place.line, (cst.Call, cst.Attribute))
    code = f"1 - {source.text_of(place)}"
    code = f"({code})" if any(place.within(p) and p != place for p in holder) else code
    fields = {"code": "1 - …", "name": names[0] if names else "…"}
    yield Candidate("wrap", (source.replace(place, code),), 6, fields)
