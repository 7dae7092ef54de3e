"""The best loss so far begins at zero: no loss is ever below it, so nothing is ever kept.

## What it finds
`if val_loss < best_loss:` where `best_loss` begins as 0 and is set again only below that `if`, for a loss that cannot
be negative.

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
from ...graph.calls import every
from ...graph.source import Source, walk
from ...graph.training import place
from ...lexicon import says
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW337"


def check(trace: Trace) -> Iterator[Facts]:
    """Every comparison with a best loss that begins at zero."""
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
    },
    "es": {
        "message": "{value} no puede ser menor que {name}, que empieza en 0",
        "why": "la línea {line} pone {name} a 0, y las pérdidas de este script no pueden ser negativas",
    },
    "ja": {
        "message": "{name} が 0 から始まるため、{value} がそれを下回ることはありません",
        "why": "{line} 行目で {name} が 0 になりますが、このスクリプトの損失は負になりません",
    },
}
