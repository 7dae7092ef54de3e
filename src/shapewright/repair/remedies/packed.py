"""Indices of packed samples shifted by the number that the loop that packs them counts up and nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import ShiftPacked
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (ShiftPacked,)
TITLES = {
    "shift-packed": {
        "en": "shift the indices by the rows before the sample: {code}",
        "es": "desplazar los índices según las filas anteriores a la muestra: {code}",
        "ja": "サンプルより前にある行の数だけ添字をずらす: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """In each loop around what fills a list that is read at one of the sites, where it counts one such number."""
    for site in case.remedy.sites:
        for source, place in case.found(site, cst.Call):
            read = {name.node.value for name in source.within(place, cst.Name)}
            scope = source.scope(place.line) or source.place(source.module)
            for loop in source.within(scope, cst.For):
                counted = _counted(source, scope, loop)
                edits = tuple(
                    source.replace(part, f"{source.atom(part)} + {counted[0]}")
                    for part in (_filled(source, loop, read) if len(counted) == 1 else ())
                )
                if edits:
                    yield Candidate("shift-packed", edits, 3, {"code": f"+ {counted[0]}"})


def _counted(source: Source, scope: Place, loop: Place) -> list[str]:
    """The names that a loop adds to in each round and that nothing in the function reads."""
    added = [place.node for place in source.within(loop, cst.AugAssign)]
    added = [node for node in added if isinstance(node.operator, cst.AddAssign) and isinstance(node.target, cst.Name)]
    written = {id(node.target) for node in added}
    written |= {
        id(name.node)
        for place in source.within(scope, cst.AssignTarget)
        for name in source.within(source.place(place.node.target), cst.Name)
    }
    read = {name.node.value for name in source.within(scope, cst.Name) if id(name.node) not in written}
    return [name for name in dict.fromkeys(node.target.value for node in added) if name not in read]


def _filled(source: Source, loop: Place, names: set[str]) -> Iterator[Place]:
    """What a loop puts into one of the lists: what it appends, or each number of the pairs that it adds."""
    for call in source.methods(loop, "append"):
        owner = call.node.func.value
        if isinstance(owner, cst.Name) and owner.value in names and len(call.node.args) == 1:
            yield from _numbers(source, call.node.args[0].value)
    for place in source.within(loop, cst.AugAssign):
        target, value = place.node.target, place.node.value
        if isinstance(target, cst.Name) and target.value in names and isinstance(value, cst.ListComp):
            yield from _numbers(source, value.elt)


def _numbers(source: Source, node: cst.BaseExpression) -> Iterator[Place]:
    """An expression, or each part of a tuple or list."""
    if isinstance(node, (cst.Tuple, cst.List)):
        yield from (source.place(element.value) for element in node.elements)
    else:
        yield source.place(node)
