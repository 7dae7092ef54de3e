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

from ...graph.source import parsed, site_of, walk
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
    for file, text in trace.sources.items():
        root = parsed(text)
        if "torch" not in text:
            continue
        for node in walk(root):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute) and node.value.attr in METHODS:
                yield Facts(
                    site_of(file, node.value, text),
                    fields={"name": ast.unparse(node.value)},
                    cause=_cause(trace, node.value.attr),
                    remedy=Rewrite("{}()"),
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
        "message": "{name} is named here but not called",
        "why": "without parentheses the statement only looks up the method; nothing happens",
    },
    "es": {
        "message": "{name} se nombra aquí, pero no se llama",
        "why": "sin paréntesis la sentencia solo busca el método; no ocurre nada",
    },
    "ja": {
        "message": "{name} は名前を書いただけで、呼び出されていません",
        "why": "括弧がないとメソッドを参照するだけで、何も実行されません",
    },
}
