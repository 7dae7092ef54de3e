"""Stored values change afterwards: a list or a replay buffer holds the same memory many times, changed in place.

## What it finds
Arrays, tensors and lists of numbers that are put into a container repeatedly, are the same memory each time, and have
different contents each time: an environment that returns its own state and changes it in place, a running value that is
appended without a copy. Also transitions whose state and next state are the same tensor, where the target bootstraps
from the state itself.

## Why it hurts
All entries hold the last contents. A replay buffer can hold the last state of an episode instead of all its states; a
history repeats its last value.

## Example
    def step(self, action):
        self.state += self.moves[action]
        return self.state, reward, done

## Instead
        return self.state.copy(), reward, done

## Fix safety
Safe. Memory that is taken out of the container before it is changed, as in a pool, is not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.scopes import parameters_of
from ...graph.source import Function, Source, walk
from ...graph.states import trained_states
from ...graph.training import place
from ...trace import Site, Stored, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW377"
COPIES = {"array": "{}.copy()", "tensor": "{}.clone()", "list": "list({})"}
IN_PLACE = frozenset({"sort", "fill", "reverse", "partition"})  # what arrays and lists call so


def check(trace: Trace) -> Iterator[Facts]:
    """Every place at which memory was stored that changed later, and every transition to its own state."""
    changed = [fact for fact in trace.data.stored if fact.kind != "twice" and fact.stack]
    for fact in changed:
        yield _changed(trace, fact)
    for fact in trace.data.stored if not changed else ():
        told = next((one for one in trained_states(trace) if one.kind == "states"), None)
        if fact.kind == "twice" and fact.stack and told is not None:
            site, loss = _built(Source(trace), fact), told.loss or told.site
            others = (*(one for one in reversed(fact.stack) if one != site), loss)
            yield Facts(
                site,
                message="same",
                why="same_why",
                fields={"line": loss.line, "count": fact.count},
                origins=tuple(o for one in others for o in place(trace, one)),
            )


def _changed(trace: Trace, fact: Stored) -> Facts:
    """At the place that hands the memory out, else where it is stored."""
    source, stored = Source(trace), fact.stack[-1]
    returned, written = _handed_out(source, *fact.holder)
    site = returned[0] if returned else stored
    others = (*returned[1:], *written, *reversed(fact.stack))
    own = Site(site.file, site.line)
    copied = site if returned else _entry(source, fact)
    return Facts(
        site,
        message="handed" if returned else "message",
        fields={"name": f"self.{fact.holder[1]}", "line": stored.line, "count": fact.count},
        origins=tuple(o for one in others if (one.file, one.line) != (own.file, own.line) for o in place(trace, one)),
        remedy=Rewrite(COPIES[fact.kind], copied) if copied is not None else None,
    )


def _entry(source: Source, fact: Stored) -> Site | None:
    """The expression that is stored, where it is written out at the place of storing."""
    call, site = source.call_at(fact.stack[-1]), fact.stack[-1]
    node: ast.expr | None = call.args[0] if call is not None and call.args else None
    for step in fact.way:
        listed = isinstance(node, (ast.Tuple, ast.List)) and isinstance(step, int) and step < len(node.elts)
        node = node.elts[step] if listed else None
    return source.site(node, site.file) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else None


def _handed_out(source: Source, owner: str, name: str) -> tuple[list[Site], list[Site]]:
    """Where the methods of a class return one of its attributes as it is, those that write to it first, and where they
    write to it."""
    returned: list[tuple[bool, Site]] = []
    written: list[Site] = []
    for file in source.trace.sources if name else ():
        for node in source.nodes(file):
            if not isinstance(node, ast.ClassDef) or node.name != owner.split(".")[-1]:
                continue
            for method in (part for part in node.body if isinstance(part, Function)):
                own = next(iter(parameters_of(method)), "")
                writes = [part for part in walk(method) if any(_is(one, own, name) for one in _targets(part))]
                written += [source.site(part, file) for part in writes]
                returned += [
                    (not writes, source.site(part, file))
                    for given in walk(method)
                    if isinstance(given, ast.Return) and given.value is not None
                    for part in _listed(given.value)
                    if _is(part, own, name)
                ]
    return [site for _, site in sorted(returned, key=lambda one: one[0])], written


def _targets(node: ast.AST) -> list[ast.expr]:
    """The expressions whose memory a node writes to."""
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if isinstance(node, ast.Assign):
        return [part for target in node.targets for part in _listed(target) if isinstance(part, ast.Subscript)]
    if not isinstance(node, ast.Call):
        return []
    given = [word.value for word in node.keywords if word.arg == "out"]
    if isinstance(node.func, ast.Attribute) and (node.func.attr.endswith("_") or node.func.attr in IN_PLACE):
        given.append(node.func.value)
    return given


def _listed(node: ast.expr) -> list[ast.expr]:
    return [part for inner in node.elts for part in _listed(inner)] if isinstance(node, ast.Tuple) else [node]


def _is(node: ast.expr, own: str, name: str) -> bool:
    """Whether an expression is an attribute, or a part of it."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Attribute) and node.attr == name and getattr(node.value, "id", "") == own


def _built(source: Source, fact: Stored) -> Site:
    """The line that gives both places of an entry one value: where they read alike, or their values are no arguments of
    the function that stores them."""
    wanted: list[int] = [0]
    for site in reversed(fact.stack):
        call, function = source.call_at(site), source.function_at(site)
        given = [call.args[at] for at in wanted if at < len(call.args)] if call is not None else []
        if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
            given = [given[0].elts[at] for at in fact.way if isinstance(at, int) and at < len(given[0].elts)]
        names = list(parameters_of(function)) if isinstance(function, Function) else []
        own = isinstance(getattr(function, "parent", None), ast.ClassDef)  # the first is the object itself
        wanted = [names.index(one.id) - own for one in given if isinstance(one, ast.Name) and one.id in names]
        alike = len(given) == 2 and len({ast.unparse(one) for one in given}) == 1
        if alike or len(wanted) != len(given) or not given:
            return site
    return fact.stack[-1]


MESSAGES = {
    "en": {
        "message": (
            "the entries stored here share the same memory, which is changed in place: all of them hold the last value"
        ),
        "handed": "{name} is returned without a copy and then changed in place, so entries stored earlier change too",
        "why": (
            "line {line} stored the same memory with {count} different contents, one after another; only the last "
            "contents are left"
        ),
        "same": "the state and the next state of each stored transition are the same tensor",
        "same_why": (
            "each of the {count} transitions holds the same tensor twice, so the target on line {line} uses the "
            "current state where it needs the next state"
        ),
    },
    "es": {
        "message": (
            "los elementos guardados aquí comparten la misma memoria, que se modifica in-place: todos contienen el "
            "último valor"
        ),
        "handed": (
            "{name} se devuelve sin copiar y luego se modifica in-place, así que los elementos guardados antes "
            "también cambian"
        ),
        "why": (
            "la línea {line} guardó la misma memoria con {count} contenidos distintos, uno tras otro; solo queda el "
            "último"
        ),
        "same": "el estado y el estado siguiente de cada transición guardada son el mismo tensor",
        "same_why": (
            "cada una de las {count} transiciones contiene dos veces el mismo tensor, así que el objetivo de la línea "
            "{line} usa el estado actual donde necesita el siguiente"
        ),
    },
    "ja": {
        "message": (
            "ここで保存される要素は同じメモリを共有し、そのメモリが書き換えられるため、すべてが最後の値になります"
        ),
        "handed": "{name} はコピーせずに返され、後で書き換えられるため、以前に保存した要素も変わります",
        "why": (
            "{line} 行目は、同じメモリを、内容が変わるたびに保存しました (内容は全部で {count} 通り)。残っているのは最"
            "後の内容だけです"
        ),
        "same": "保存された遷移の状態と次の状態が同じテンソルです",
        "same_why": (
            "{count} 個の遷移のそれぞれに同じテンソルが 2 回入っているため、{line} 行目のターゲットは、次の状態が必要な"
            "ところで現在の状態を使っています"
        ),
    },
}
