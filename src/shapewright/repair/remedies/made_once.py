"""A layer that `forward` makes in every call, made in `__init__` and kept."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.scopes import RECEIVERS
from ...rules.loop_remedy import MakeOnce
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (MakeOnce,)
TITLES = {
    "made-once": {
        "en": "create the layer in __init__: {code}",
        "es": "crear la capa en __init__: {code}",
        "ja": "層を __init__ で作る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """The constructor's call goes to the end of `__init__`; a size that only the call knows as the number it had."""
    source, call = case.at(case.site, cst.Call)
    scope = source.scope(call.line) if call is not None else None
    start = _start(source, scope) if scope is not None else None
    own = scope.node.params.params[:1] if scope is not None else ()
    if call is None or start is None or not own or own[0].name.value not in RECEIVERS:
        return
    receiver, kind = own[0].name.value, source.called(call)
    given = []
    for at, argument in enumerate(call.node.args):
        text = source.code(argument.value).strip()
        if not _known(source, argument.value, start, scope):
            name = argument.keyword.value if argument.keyword is not None else _parameter(kind, at)
            sizes = _sizes(case, kind, name)
            if len(sizes) != 1:
                return
            text = str(sizes.pop())
        given.append(f"{argument.keyword.value}={text}" if argument.keyword is not None else text)
    name = kind.lower()
    while f".{name}" in source.text.replace(f"nn.{name}", ""):
        name += "_"
    code = f"{receiver}.{name} = {source.text_of(source.place(call.node.func))}({', '.join(given)})"
    last = source.place(start.node.body.body[-1])
    edits = (
        source.line_below(source.last_line(last), source.indent(last.line) + code),
        source.replace(call, f"{receiver}.{name}"),
    )
    yield Candidate("made-once", edits, 4, {"code": code})


def _sizes(case: Case, kind: str, name: str) -> set[int]:
    """What a size of the layer was in each call of it, as its weight `(outputs, inputs, ...)` tells."""
    entry, site = ops.layer(kind), case.site
    at = {entry.width: 0, entry.input_width: 1}.get(name) if entry is not None and name else None
    found = set()
    for event in case.trace.events if entry is not None and at is not None else ():
        place = event.site
        if event.op == entry.op and place is not None and (place.line, place.column) == (site.line, site.column):
            found |= {fact.sizes[at] for fact in operands(event)[1:2] if fact.rank > at}
    return found


def _start(source: Source, scope: Place) -> Place | None:
    """The `__init__` of the class that a method belongs to."""
    for owner in source.enclosing(scope.line, cst.ClassDef)[:1]:
        for place in source.within(owner, cst.FunctionDef):
            if place.node.name.value == "__init__" and isinstance(place.node.body, cst.IndentedBlock):
                return place
    return None


def _known(source: Source, node: cst.BaseExpression, start: Place, scope: Place) -> bool:
    """Whether an expression can be computed in `__init__`: from its arguments, the object and what the file binds, and
    not the method that it is in."""
    own, *others = [parameter.name.value for parameter in scope.node.params.params]
    there, inside = {own}, set(others)
    for place in source.of_kind((cst.Assign, cst.Import, cst.ImportFrom)):
        around = source.scope(place.line)
        names = {inner.node.value for inner in source.within(place, cst.Name)}
        there |= names if around is None else set()
        inside |= names - {own} if around is scope and isinstance(place.node, cst.Assign) else set()
    there = (there - inside) | ({parameter.name.value for parameter in start.node.params.params} - inside)
    attributes = {id(at.node.attr) for at in source.within(source.place(node), cst.Attribute)}
    names = [inner.node for inner in source.within(source.place(node), cst.Name) if id(inner.node) not in attributes]
    return all(name.value in there for name in names)


def _parameter(kind: str, at: int) -> str:
    """The name of a constructor's argument."""
    entry = ops.layer(kind)
    return entry.parameters[at] if entry is not None and at < len(entry.parameters) else ""
