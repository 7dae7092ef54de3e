"""A tensor taken off its graph: what one network hands to another's loss, an advantage, a target, a recurrent state."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands
from ...graph.followers import idle_followers
from ...rules.loop_remedy import AsNumber
from ...rules.remedy import Detach
from ..candidate import Candidate, Case
from ..declared import at, on_line
from ..source import Place, Source

ANSWERS = (Detach, AsNumber)
TITLES = {
    "detach": {
        "en": "detach the value from the graph: {code}",
        "es": "separar el valor del grafo: {code}",
        "ja": "値を計算グラフから切り離す: {code}",
    },
    "follower": {
        "en": "call the copy that is updated from the trained network: {code}",
        "es": "llamar a la copia que se actualiza con la red entrenada: {code}",
        "ja": "学習中のネットワークから更新されるコピーを呼ぶ: {code}",
    },
    "fresh": {
        "en": "start each batch without a carried-over state (pass None)",
        "es": "empezar cada lote sin el estado anterior (pasar None)",
        "ja": "None を渡し、バッチごとに前の状態を引き継がずに始める",
    },
    "item": {
        "en": "accumulate numbers, not graphs: {code}",
        "es": "acumular números, no grafos: {code}",
        "ja": "計算グラフではなく数値を足す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """At the call or product that the finding names; a target also where it is bound."""
    yield from _numbers(case) if isinstance(case.remedy, AsNumber) else _detached(case)


@at()
def _detached(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """The operands that the kind of cut asks for, where they are read and where they are bound."""
    remedy: Detach = case.remedy
    target = remedy.kind == "target"
    if target:
        yield from _followers(source, place, remedy)
    if target and isinstance(place.node, cst.BinaryOperation):
        yield Candidate("detach", (source.suffix(place, ".detach()"),), 4, {"code": f"{remedy.name}.detach()"})
    for operand in _operands(source, place, remedy):
        text = source.text_of(operand)
        bound = source.binding(text, operand.line) if target and isinstance(operand.node, cst.Name) else None
        if bound is not None:
            yield Candidate("detach", (source.suffix(bound, ".detach()"),), 4, {"code": f"{text}.detach()"})
        if remedy.kind == "fresh":
            yield Candidate("fresh", (source.replace(operand, "None"),), 3, {"code": "None"}, doubt="guessed")
            continue
        named = isinstance(operand.node, (cst.Name, cst.Attribute))
        code = source.atom(operand) + ".detach()"
        rank = 6 if bound is not None else 3 if named else 9
        yield Candidate("detach", (source.replace(operand, code),), rank, {"code": code if named else ".detach()"})
        if remedy.kind == "state":
            several = f"tuple(part.detach() for part in {text})"
            yield Candidate("detach", (source.replace(operand, several),), 4, {"code": several})


def _followers(source: Source, place: Place, remedy: Detach) -> Iterator[Candidate]:
    """What computes the target calls the network that only takes over weights, where there is one that nothing
    calls."""
    value = source.binding(remedy.name, place.line) if remedy.name.isidentifier() else None
    written = [place, *([value] if value is not None else [])]
    read = dict.fromkeys(name.node.value for where in written for name in source.within(where, cst.Name))
    bound = [source.binding(name, place.line) for name in read]
    for follower, leader in idle_followers(ast.parse(source.text)).items():
        for where in (*written, *(where for where in bound if where is not None)):
            names = [source.place(p.node.func) for p in source.within(where, cst.Call)]
            edits = tuple(source.replace(name, follower) for name in names if source.text_of(name) == leader)
            if edits:
                yield Candidate("follower", edits, 2, {"code": follower})


def _operands(source: Source, place: Place, remedy: Detach) -> Iterator[Place]:
    """What may be taken off: the arguments of a call, of a product or difference only what the remedy names (never the
    log-probability)."""
    node = place.node
    if isinstance(node, cst.BinaryOperation):
        sides = [source.place(side) for side in (node.left, node.right)]
        yield from (side for side in sides if source.text_of(side) == remedy.name)
    elif isinstance(node, cst.Call):
        given = [source.place(a.value) for a in node.args if not isinstance(a.value, (cst.BaseString, cst.BaseNumber))]
        plain = [p for p in given if isinstance(p.node, (cst.Name, cst.Attribute))]
        if remedy.kind in ("state", "fresh"):
            yield from (p for p in plain if source.text_of(p) in _bound(source, place))
        elif remedy.kind == "target":
            yield from (p for p in given if not isinstance(p.node, cst.Name) or p.node.value == remedy.name)
        else:
            yield from plain


def _bound(source: Source, place: Place) -> set[str]:
    """The names that the statement around a call binds: the state is given in and comes out."""
    statement = source.statement(place.line)
    targets = source.within(statement, cst.AssignTarget) if statement is not None else ()
    return {source.text_of(name) for part in targets for name in source.within(part, (cst.Name, cst.Attribute))}


@on_line
def _numbers(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`.item()` on what is added up, or on the tensor in it that has a graph."""
    learned = {fact.name for fact in operands(case.event) if fact.requires_grad} if case.event is not None else set()
    learned |= {one.name for one in case.trace.bound if one.fact.requires_grad and one.site.file == source.file}
    for grown in source.within(statement, (cst.AugAssign, cst.Call)):
        values = [grown.node.value] if isinstance(grown.node, cst.AugAssign) else [a.value for a in grown.node.args]
        for value in map(source.place, values):
            for name in source.within(value, cst.Name):
                if name.node.value in learned or (name == value and isinstance(grown.node, cst.AugAssign)):
                    yield Candidate("item", (source.suffix(name, ".item()"),), 5 + (name != value), {"code": ".item()"})
