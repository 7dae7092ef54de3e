"""What a script does to one side of a comparison done to the other one: a division by a temperature, a wrapper that is
called, the second of two names that were bound together."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.imports import library
from ...rules.loop_remedy import CallOwner, DoLikewise, ReadSibling
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import at
from ..operands import expressions, written
from ..source import Place, Source

ANSWERS = (CallOwner, DoLikewise, Misfit, ReadSibling)
TITLES = {
    "likewise": {
        "en": "scale both sides: {code}",
        "es": "escalar los dos lados: {code}",
        "ja": "両側を同じ値でスケーリングする: {code}",
    },
}
SIGNS = (cst.Divide, cst.Multiply)
SHAPED = ops.named("views", "flattens", "turns", "squeezes", "unsqueezes")


def propose(case: Case) -> Iterator[Candidate]:
    """By the remedy."""
    for kind, answer in KINDS.items():
        if isinstance(case.remedy, kind):
            yield from answer(case)


@at(cst.Call, method=True)
def _owner(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The object for its method."""
    place, code = source.place(call.node.func), source.text_of(source.place(call.node.func.value))
    yield Candidate("rewrite", (source.replace(place, code),), 4, {"new": code, "old": source.text_of(place)})


def _shaped(case: Case) -> Iterator[Candidate]:
    """`cell(x, state.reshape(-1, d))` with `x.reshape(-1, d)`: what gives one operand its axes given to the other."""
    found = written(case)[:2]
    for one, other in (found, found[::-1]) if len(found) == 2 else ():
        func = one.place.node.func if isinstance(one.place.node, cst.Call) else None
        if not isinstance(func, cst.Attribute) or func.attr.value not in SHAPED:
            continue
        if library(one.source.text, one.source.code(func)) or one.fact.rank >= other.fact.rank:
            continue
        code = one.source.method(one.place.node)
        edit = other.source.suffix(other.place, code)
        yield Candidate("wrap", (edit,), 8, {"code": code, "name": other.text})


def _scaled(case: Case) -> Iterator[Candidate]:
    """The same operator and number on the first operand of a call."""
    done, onto = case.trace.events[case.remedy.done], case.trace.events[case.remedy.onto]
    for source, scale in case.found(done.site, cst.BinaryOperation):
        for other, call in case.found(onto.site, cst.Call):
            node = next(expressions(call.node), None)
            if node is None or not isinstance(scale.node.operator, SIGNS):
                return
            named = operands(done)[0].name if operands(done) else ""
            left, sign, right = (
                source.code(part).strip() for part in (scale.node.left, scale.node.operator, scale.node.right)
            )
            number = left if sign == "*" and right == named else right
            code = f"{other.atom(other.place(node))} {sign} {number}"
            fields, doubt = {"code": code, "value": code}, "" if case.remedy.sure else "guessed"
            whole = f"({code})" if node is getattr(call.node.func, "value", None) else code
            yield Candidate("likewise", (other.replace(other.place(node), whole),), 4, fields, doubt=doubt)


def _siblings(case: Case) -> Iterator[Candidate]:
    """The names that one statement, loop or signature binds beside the one that is read: those that nothing reads
    first."""
    places = ((*found, near) for near, site in enumerate(case.remedy.sites) for found in case.found(site))
    for source, place, near in places:
        for read in reversed(list(source.within(place, cst.Name))):
            bound = (names for names in _bound(source, case.remedy.sites[near].line) if read.node.value in names)
            for name in (name for names in bound for name in names if name != read.node.value):
                unread = len([p for p in source.of_kind(cst.Name) if p.node.value == name]) < 2
                fields, doubt = {"new": name, "old": read.node.value, "value": name}, "" if unread else "guessed"
                rank = 4 + near + 3 * (not unread)
                yield Candidate("rewrite", (source.replace(read, name),), rank, fields, doubt=doubt)


def _bound(source: Source, line: int) -> Iterator[list[str]]:
    """The names that were bound together, where they may be read on a line, the nearest first."""
    scope = source.scope(line)
    groups: list[tuple[int, list[str]]] = []
    for place in source.of_kind((cst.Assign, cst.For)):
        if place.line > line or source.scope(place.line) is not scope:
            continue
        target = place.node.target if isinstance(place.node, cst.For) else place.node.targets[0].target
        parts = [part.value for part in target.elements] if isinstance(target, cst.Tuple) else []
        groups.append((place.line, [part.value for part in parts if isinstance(part, cst.Name)]))
    if scope is not None:
        groups.append((scope.line, [parameter.name.value for parameter in scope.node.params.params[1:]]))
    for _, names in sorted(groups, reverse=True):
        if len(names) > 1:
            yield names


KINDS = {CallOwner: _owner, DoLikewise: _scaled, Misfit: _shaped, ReadSibling: _siblings}
