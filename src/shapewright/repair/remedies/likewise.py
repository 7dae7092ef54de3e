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
from ..operands import expressions, written
from ..source import Source

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
    remedy, source = case.remedy, case.source(case.site.file)
    if source is None:
        return
    if isinstance(remedy, CallOwner):
        call = source.at(case.site, cst.Call)
        func = call.node.func if call is not None else None
        if isinstance(func, cst.Attribute):
            place, code = source.place(func), source.text_of(source.place(func.value))
            yield Candidate("rewrite", (source.replace(place, code),), 4, {"new": code, "old": source.text_of(place)})
    elif isinstance(remedy, DoLikewise):
        yield from _scaled(case, remedy)
    elif isinstance(remedy, Misfit):
        yield from _shaped(case)
    else:
        yield from _siblings(case, remedy)


def _shaped(case: Case) -> Iterator[Candidate]:
    """`cell(x, state.reshape(-1, d))` with `x.reshape(-1, d)`: what gives one operand its axes given to the other."""
    found = written(case)[:2]
    for one, other in (found, found[::-1]) if len(found) == 2 else ():
        func = one.place.node.func if isinstance(one.place.node, cst.Call) else None
        if not isinstance(func, cst.Attribute) or func.attr.value not in SHAPED:
            continue
        if library(one.source.text, one.source.code(func)) or one.fact.rank >= other.fact.rank:
            continue
        code = one.text[len(one.source.text_of(one.source.place(func.value))) :]
        edit = other.source.suffix(other.place, code)
        yield Candidate("wrap", (edit,), 8, {"code": code, "name": other.text})


def _scaled(case: Case, remedy: DoLikewise) -> Iterator[Candidate]:
    """The same operator and number on the first operand of a call."""
    done, onto = case.trace.events[remedy.done], case.trace.events[remedy.onto]
    source, other = (case.source(event.site.file) if event.site is not None else None for event in (done, onto))
    scale = source.at(done.site, cst.BinaryOperation) if source is not None else None
    call = other.at(onto.site, cst.Call) if other is not None else None
    node = next(expressions(call.node), None) if call is not None else None
    if scale is None or node is None or not isinstance(scale.node.operator, SIGNS):
        return
    named = operands(done)[0].name if operands(done) else ""
    left, right = (source.code(side).strip() for side in (scale.node.left, scale.node.right))
    number = left if isinstance(scale.node.operator, cst.Multiply) and right == named else right
    code = f"{other.atom(other.place(node))} {source.code(scale.node.operator).strip()} {number}"
    doubt = "" if remedy.sure else "guessed"
    fields = {"code": code, "value": code}
    if node is getattr(call.node.func, "value", None):
        code = f"({code})"
    yield Candidate("likewise", (other.replace(other.place(node), code),), 4, fields, doubt=doubt)


def _siblings(case: Case, remedy: ReadSibling) -> Iterator[Candidate]:
    """The names that one statement, loop or signature binds beside the one that is read: those that nothing reads
    first."""
    for near, site in enumerate(remedy.sites):
        source = case.source(site.file)
        place = source.at(site) if source is not None else None
        for read in reversed(list(source.within(place, cst.Name))) if place is not None else ():
            for names in _bound(source, site.line):
                if read.node.value not in names:
                    continue
                for name in names:
                    unread = len([p for p in source.of_kind(cst.Name) if p.node.value == name]) < 2
                    if name != read.node.value:
                        edit, doubt = source.replace(read, name), "" if unread else "guessed"
                        fields = {"new": name, "old": read.node.value, "value": name}
                        yield Candidate("rewrite", (edit,), 4 + near + 3 * (not unread), fields, doubt=doubt)


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
