"""A layer that `forward` makes in every call, made in `__init__` and kept."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.scopes import RECEIVERS
from ...rules.loop_remedy import MakeOnce
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (MakeOnce,)
TITLES = {
    "made-once": {
        "en": "create the layer in __init__: {code}",
        "es": "crear la capa en __init__: {code}",
        "ja": "層を __init__ で作る: {code}",
    },
}


@at(cst.Call)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The constructor's call goes to the end of `__init__`; a size that only the call knows as the number it had."""
    scope = source.scope(call.line)
    start = _start(source, scope) if scope is not None else None
    own = scope.node.params.params[:1] if scope is not None else ()
    if start is None or not own or own[0].name.value not in RECEIVERS:
        return
    receiver, kind = own[0].name.value, source.called(call)
    given = []
    for number, argument in enumerate(call.node.args):
        text, keyword = source.code(argument.value).strip(), argument.keyword.value if argument.keyword else ""
        if not _known(source, argument.value, start, scope):
            sizes = _sizes(case, kind, keyword or _parameter(kind, number))
            if len(sizes) != 1:
                return
            text = str(sizes.pop())
        given.append(f"{keyword}={text}" if keyword else text)
    name = kind.lower()
    while f".{name}" in source.text.replace(f"nn.{name}", ""):
        name += "_"
    code = f"{receiver}.{name} = {source.text_of(source.place(call.node.func))}({', '.join(given)})"
    last = source.place(start.node.body.body[-1])
    made = source.line_below(source.last_line(last), source.indent(last.line) + code)
    yield Candidate("made-once", (made, source.replace(call, f"{receiver}.{name}")), 4, {"code": code})


def _sizes(case: Case, kind: str, name: str) -> set[int]:
    """What a size of the layer was in each call of it, as its weight `(outputs, inputs, ...)` tells."""
    entry, site = ops.layer(kind), case.site
    at = {entry.width: 0, entry.input_width: 1}.get(name) if entry is not None and name else None
    made = [event for event in case.trace.events if event.op == entry.op and event.site] if at is not None else []
    made = [event for event in made if (event.site.line, event.site.column) == (site.line, site.column)]
    return {fact.sizes[at] for event in made for fact in operands(event)[1:2] if fact.rank > at}


def _start(source: Source, scope: Place) -> Place | None:
    """The `__init__` of the class that a method belongs to."""
    owners = source.enclosing(scope.line, cst.ClassDef)[:1]
    methods = [p for owner in owners for p in source.within(owner, cst.FunctionDef) if p.node.name.value == "__init__"]
    return next((p for p in methods if isinstance(p.node.body, cst.IndentedBlock)), None)


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
