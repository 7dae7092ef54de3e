"""A method of the training loop is named but not called: the parentheses are missing.

## What it finds
A statement that consists of `optimizer.step`, `optimizer.zero_grad`, `loss.backward`, `model.eval` or `model.train` and
nothing else.

## Why it hurts
Such a statement does nothing. No error reports it.

## Example
    optimizer.zero_grad
    loss.backward()

## Instead
    optimizer.zero_grad()
    loss.backward()

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...trace import Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import Rewrite

code = "SW327"
# the method, and the root cause that other rules would speak of
METHODS = {
    "zero_grad": Shared.CLEARING,
    "backward": Shared.EMPTY_STEP,
    "step": Shared.NEVER_STEPS,
    "eval": Shared.TRAINING,
    "train": Shared.EVALUATING,
}


def check(trace: Trace) -> Iterator[Facts]:
    """Every bare name of such a method among the statements of a file that trains."""
    for node, site in every(trace, ast.Attribute):
        if isinstance(node.parent, ast.Expr) and node.attr in METHODS and "torch" in trace.sources[site.file]:
            yield Facts(
                site, fields={"name": ast.unparse(node)}, cause=_cause(trace, node.attr), remedy=Rewrite("{}()")
            )


def _cause(trace: Trace, method: str) -> tuple[object, ...]:
    """The cause that a rule about its consequence names."""
    shared = METHODS[method]
    if shared not in (Shared.TRAINING, Shared.EVALUATING):
        return (shared,)
    module = next(
        (step.data["module"] for step in reversed(trace.steps) if step.kind == "forward" and step.data["stochastic"]),
        -1,
    )
    return shared, module


MESSAGES = {
    "en": {
        "message": "{name} appears here without parentheses, so it is not called",
        "why": "without parentheses, the statement only looks up the method; nothing is executed",
    },
    "es": {
        "message": "{name} aparece aquí sin paréntesis, así que no se ejecuta",
        "why": "sin paréntesis, la sentencia solo busca el método; no se ejecuta nada",
    },
    "ja": {
        "message": "{name} に括弧がないため、呼び出されていません",
        "why": "括弧がないとメソッドを参照するだけで、何も実行されません",
    },
}
