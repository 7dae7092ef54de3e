"""A target network, teacher or best model has the parameters of the trained model itself.

## What it finds
`target = model` (or a shallow `copy.copy(model)`), where the second name says that the network is to stay behind:
target, teacher, old, best ..., or a line of the script is to load the weights of the one into the other,
and the model goes on being trained. Also `target.load_state_dict(model.state_dict())` of one and the same module.

## Why it hurts
There is one set of parameters only. What should stay fixed for a while changes with every step: targets chase
themselves, the best model is the last one.

## Example
    target_net = policy_net
    target_net.load_state_dict(policy_net.state_dict())

## Instead
    target_net = copy.deepcopy(policy_net)

## Fix safety
Safe; the copy takes as much memory as the model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...graph.scopes import around
from ...graph.source import Source, walk
from ...graph.training import of_kind, place
from ...lexicon import says
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import KeepCopy

code = "SW326"
NAMED = (ast.Name, ast.Attribute, ast.Subscript)


def check(trace: Trace) -> Iterator[Facts]:
    """Every second name of a trained model that was to be another network."""
    source = Source(trace)
    pairs = dict(_loaded_into_itself(trace, source))
    called = _called(trace, source)
    for node, site in every(trace, ast.Assign):
        found = _alias(node)
        if found is None:
            continue
        name, model, shallow = found
        load = next(
            (load for pair, load in pairs.items() if {_last(part) for part in pair} == {_last(name), _last(model)}),
            None,
        )
        copied = None if load else _copied(source, site, name, model)
        behind = copied is not None or (says(_last(name), "behind") and not says(_last(model), "behind"))
        used = called.get(name, set())
        if load is None and not (
            behind and used and (shallow or used & called.get(model, set())) and _trained_later(trace, node, site)
        ):
            continue
        if _leaves(node) or _own_otherwise(node, name):
            continue
        yield Facts(
            site,
            why="loaded" if load is not None else "copied" if copied is not None else "why",
            fields={"name": name, "model": model, "line": load.line if load is not None else copied or 0},
            origins=place(trace, load),
            remedy=KeepCopy(name=model),
        )


def _loaded_into_itself(trace: Trace, source: Source) -> Iterator[tuple[tuple[str, str], Site]]:
    """`(receiver, giver)` of every `a.load_state_dict(b.state_dict())` in which both are one module."""
    for load in of_kind(trace, "load"):
        kept = load.data.get("kept") or ()
        if kept and load.site is not None and not load.data["changed"] and kept[-1].line == load.site.line:
            call = source.node_at(load.site, (ast.Call,))
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args:
                given = next(
                    (
                        part.func.value
                        for part in walk(call.args[0])
                        if isinstance(part, ast.Call)
                        and isinstance(part.func, ast.Attribute)
                        and part.func.attr == "state_dict"
                    ),
                    None,
                )
                if given is not None and ast.dump(given) != ast.dump(call.func.value):
                    yield (ast.unparse(call.func.value), ast.unparse(given)), load.site


def _copied(source: Source, site: Site, name: str, model: str) -> int | None:
    """The line that is to load the weights of the model into the other name, whether a run came there or not."""
    for call in walk(source.tree(site.file)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args:
            given = call.args[0].func if isinstance(call.args[0], ast.Call) else None
            if call.func.attr == "load_state_dict" and isinstance(given, ast.Attribute) and given.attr == "state_dict":
                if {ast.unparse(call.func.value), ast.unparse(given.value)} == {name, model} and name != model:
                    return call.lineno
    return None


def _called(trace: Trace, source: Source) -> dict[str, set[int]]:
    """By the text that names it in a call: the outermost modules that were called so."""
    found: dict[str, set[int]] = {}
    for step in of_kind(trace, "forward"):
        for site in step.stack[-1:]:
            call = source.node_at(site, (ast.Call,))
            if isinstance(call, ast.Call):
                found.setdefault(ast.unparse(call.func), set()).add(step.data["module"])
    return found


def _alias(node: ast.Assign) -> tuple[str, str, bool] | None:
    """`(new name, old name, whether by a shallow copy)` of an assignment that makes no new module."""
    target = node.targets[0] if len(node.targets) == 1 else None
    value, shallow = node.value, False
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "copy.copy" and len(value.args) == 1:
        value, shallow = value.args[0], True
    if not isinstance(target, NAMED) or not isinstance(value, NAMED):
        return None
    return ast.unparse(target), ast.unparse(value), shallow


def _trained_later(trace: Trace, node: ast.AST, site: Site) -> bool:
    """Whether an optimizer steps below the assignment, or in a loop around it."""
    *_, first = (site.line, *(one.lineno for one in around(node) if isinstance(one, (ast.For, ast.While))))
    return any(
        inner.file == site.file and inner.line > first for step in of_kind(trace, "step") for inner in step.stack
    )


def _leaves(node: ast.AST) -> bool:
    """Whether the block of the assignment ends the loop: then nothing is trained after it."""
    parent = getattr(node, "parent", None)
    return isinstance(parent, ast.If) and any(
        isinstance(part, (ast.Break, ast.Return)) for statement in parent.body for part in walk(statement)
    )


def _own_otherwise(node: ast.AST, name: str) -> bool:
    """Whether another branch of the same condition makes a network of its own under the new name: that this one does
    not was the author's choice."""
    top = node
    while isinstance(parent := getattr(top, "parent", None), ast.If):
        top = parent
    others = (one for one in walk(top) if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call))
    return top is not node and any(ast.unparse(target) == name for one in others for target in one.targets)


def _last(text: str) -> str:
    return text.rsplit(".", 1)[-1]


MESSAGES = {
    "en": {
        "message": "{name} is not a copy of {model}: both share the same parameters, which change with every step",
        "why": "{name} and {model} share their parameters, which an optimizer keeps updating",
        "copied": (
            "{name} and {model} share their parameters, which an optimizer keeps updating; line {line} is to copy them "
            "from time to time"
        ),
        "loaded": (
            "{name} and {model} share their parameters; line {line} loads these parameters into themselves, which "
            "changes nothing"
        ),
    },
    "es": {
        "message": (
            "{name} no es una copia de {model}: los dos comparten los mismos parámetros, que cambian con cada paso"
        ),
        "why": "{name} y {model} comparten sus parámetros, que un optimizador sigue actualizando",
        "copied": (
            "{name} y {model} comparten sus parámetros, que un optimizador sigue actualizando; la línea {line} debería "
            "copiarlos de vez en cuando"
        ),
        "loaded": (
            "{name} y {model} comparten sus parámetros; la línea {line} carga esos parámetros en sí mismos, lo "
            "que no cambia nada"
        ),
    },
    "ja": {
        "message": (
            "{name} は {model} のコピーではありません。両者は同じパラメータを共有しており、更新のたびに一緒に変わります"
        ),
        "why": "{name} と {model} はパラメータを共有していて、オプティマイザがそれを更新し続けています",
        "copied": (
            "{name} と {model} はパラメータを共有していて、オプティマイザがそれを更新し続けています。{line} 行目は"
            "それをときどきコピーするはずのものです"
        ),
        "loaded": (
            "{name} と {model} はパラメータを共有しています。{line} 行目はそのパラメータをそれ自身に読み込むだけで"
            "、何も変わりません"
        ),
    },
}
