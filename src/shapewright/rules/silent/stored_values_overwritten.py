"""Stored values change afterwards: a list or a replay buffer holds the same memory many times, changed in place.

## What it finds
Arrays, tensors and lists of numbers that are put into a container again and again, are the same memory each time, and
have other contents each time: an environment that hands out its own state and changes it in place, a running value
that is appended without a copy. Also transitions whose state and next state are one tensor, where the target
bootstraps from the state itself.

## Why it hurts
All entries are what was written last. A replay buffer can hold the last state of an episode in place of all its states;
a history repeats its last value.

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

from ...graph.bootstrap import bootstraps
from ...graph.scopes import parameters_of
from ...graph.source import Function, Source, walk
from ...graph.training import ancestors, of_kind, place
from ...trace import Site, Stored, TensorFact, Trace
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
        loss = _own_state(trace) if fact.kind == "twice" and fact.stack else None
        if loss is not None:
            yield Facts(
                fact.stack[-1],
                message="same",
                why="same_why",
                fields={"line": loss.line, "count": fact.count},
                origins=tuple(o for site in (*fact.stack[-2::-1], loss) for o in place(trace, site)),
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


def _own_state(trace: Trace) -> Site | None:
    """The loss whose bootstrap targets were computed from what the trained network was given, each time."""
    found = None
    for one in bootstraps(trace):
        value, ahead = _given(trace, one.value), _given(trace, one.ahead)
        if not value or value != ahead or 0 in value:
            return None
        found = one.loss.site
    return found


def _given(trace: Trace, fact: TensorFact) -> set[int]:
    """Marks of what models were given first, on the way to a tensor."""
    before = ancestors(trace, fact)
    calls = (step for step in of_kind(trace, "forward") if step.data["marks"])
    return {step.data["marks"][0] for step in calls if getattr(step.data["result"], "producer", -1) in before}


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
            "las entradas guardadas aquí comparten la misma memoria, que se modifica in-place: todas contienen el "
            "último valor"
        ),
        "handed": (
            "{name} se devuelve sin copiar y luego se modifica in-place, así que las entradas guardadas antes también "
            "cambian"
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
