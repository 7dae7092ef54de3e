"""The best loss so far begins at zero: no loss is ever below it, so nothing is ever kept; or it is never updated.

## What it finds
`if val_loss < best_loss:` where `best_loss` begins as 0 and is set again only below that `if`, for a loss that cannot
be negative. Also a branch in a loop that keeps the weights of a model where a value is better than `best`, which begins
as 0, -1 or an infinity and is never set again.

## Why it hurts
The branch that keeps the best model never runs: no model is kept as the best, and early stopping ends training as soon
as its patience is used up.

## Example
    best_loss = 0.0
    ...
    if val_loss < best_loss:

## Instead
    best_loss = float("inf")

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import dotted, every, keeps
from ...graph.scopes import around, pairs
from ...graph.source import Source, walk
from ...graph.training import place
from ...lexicon import says
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW337"


def check(trace: Trace) -> Iterator[Facts]:
    """Every comparison with a best loss that begins at zero, or a best value that stays as it began."""
    yield from _never(trace)
    called = {event.op for event in trace.events}
    if not called & ops.named("positive") or called & ops.named("may_be_negative"):
        return
    source = Source(trace)
    for node, at in every(trace, ast.If):
        test, file = node.test, at.file
        if (
            not isinstance(test, ast.Compare)
            or len(test.ops) != 1
            or not isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
        ):
            continue
        less = isinstance(test.ops[0], (ast.Lt, ast.LtE))
        value, best = (test.left, test.comparators[0]) if less else (test.comparators[0], test.left)
        if (
            not isinstance(best, (ast.Name, ast.Attribute))
            or not isinstance(value, (ast.Name, ast.Attribute))
            or not says(ast.unparse(value), "falls")
        ):
            continue
        name = ast.unparse(best)
        bound = [
            other
            for other in source.nodes(file)
            if isinstance(other, (ast.Assign, ast.AugAssign, ast.For)) and _binds(other, name)
        ]
        first = [
            other
            for other in bound
            if isinstance(other, ast.Assign)
            and isinstance(other.value, ast.Constant)
            and other.value.value == 0
            and other.value.value is not False
        ]
        inside = [other for other in bound if any(other is part for statement in node.body for part in walk(statement))]
        if len(first) == 1 and inside and len(bound) == len(first) + len(inside):
            yield Facts(
                source.site(test, file),
                fields={"name": name, "value": ast.unparse(value), "line": first[0].lineno},
                origins=place(trace, source.site(first[0], file)),
                cause=(code, file, first[0].lineno),
                remedy=Rewrite('float("inf")', source.site(first[0].value, file)),
            )


def _never(trace: Trace) -> Iterator[Facts]:
    """Branches of loops that keep a model where a value is better than one that is bound once, to where it begins."""
    source = Source(trace)
    for node, at in every(trace, ast.If):
        test, file = node.test, at.file
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Lt, ast.Gt)):
            continue
        sides = [test.left, test.comparators[0]]
        looped = any(isinstance(one, (ast.For, ast.While)) for one in around(node))
        if not looped or not keeps(node.body) or not all(isinstance(one, (ast.Name, ast.Attribute)) for one in sides):
            continue
        bindings = [one for one in source.nodes(file) if isinstance(one, (ast.Assign, ast.AugAssign, ast.For, ast.arg))]
        for best, value in (sides, sides[::-1]):
            name = ast.unparse(best)
            bound = [one for one in bindings if (one.arg == name if isinstance(one, ast.arg) else _binds(one, name))]
            made = pairs(bound[0]) if len(bound) == 1 else ()
            first = next((own for one, own in made if ast.unparse(one) == name), None)
            if first is not None and _begins(first) and not says(ast.unparse(value), "data"):
                yield Facts(
                    source.site(test, file),
                    message="never",
                    why="why_never",
                    fields={"name": name, "value": ast.unparse(value), "line": bound[0].lineno},
                    origins=place(trace, source.site(bound[0], file)),
                    severity="warning",
                )
                break


def _begins(node: ast.expr) -> bool:
    """Whether a best value begins so: at 0, at -1, or at an infinity."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _begins(node.operand) or (isinstance(node.operand, ast.Constant) and node.operand.value == 1)
    if isinstance(node, ast.Call):
        return dotted(node.func) == "float" and len(node.args) == 1 and "inf" in ast.unparse(node.args[0]).lower()
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float) and node.value == 0
    return dotted(node).rpartition(".")[2] == "inf"


def _binds(node: ast.AST, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(
        ast.unparse(part) == name
        for target in targets
        for part in walk(target)
        if isinstance(part, (ast.Name, ast.Attribute))
    )


MESSAGES = {
    "en": {
        "message": "{value} cannot fall below {name}, which starts at 0",
        "why": "line {line} sets {name} to 0, and the losses of this script cannot be negative",
        "never": "{name} is never updated: the model is kept each time, not only when {value} is the best so far",
        "why_never": (
            "line {line} alone sets {name}, so the comparison is with the initial value and the last model that passes "
            "it is kept. Assign {value} to {name} in this branch"
        ),
    },
    "es": {
        "message": "{value} no puede ser menor que {name}, que empieza en 0",
        "why": "la línea {line} pone {name} a 0, y las pérdidas de este script no pueden ser negativas",
        "never": "{name} no se actualiza nunca: el modelo se guarda cada vez, no solo cuando {value} es el mejor",
        "why_never": (
            "solo la línea {line} asigna {name}, así que se compara con el valor inicial y queda guardado el último "
            "modelo que lo supera. Hay que asignar {value} a {name} en esta rama"
        ),
    },
    "ja": {
        "message": "{name} が 0 から始まるため、{value} がそれを下回ることはありません",
        "why": "{line} 行目で {name} が 0 になりますが、このスクリプトの損失は負になりません",
        "never": "{name} が一度も更新されないため、{value} が最良のときだけでなく毎回モデルが保存されます",
        "why_never": (
            "{name} に代入するのは {line} 行目だけなので、比較の相手は初期値のままで、最後に条件を満たしたモデルが残り"
            "ます。この分岐で {value} を {name} に代入してください"
        ),
    },
}
