"""Gradients are to be accumulated over several batches, but each batch begins by clearing them.

## What it finds
A loop whose step runs every few batches only, and whose `zero_grad` runs at every batch: what `backward` computed in
between is thrown away.

## Why it hurts
Only the last batch before each step counts. The effective batch size is a fraction of the intended one; where the loss
is divided by the number of batches, the gradients of each step are also too small by that factor.

## Example
    optimizer.zero_grad()
    (loss / 4).backward()
    if (i + 1) % 4 == 0:
        optimizer.step()

## Instead
    (loss / 4).backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.scopes import around, condition_in_loop, loop_around
from ...graph.source import Source, walk
from ...graph.training import of_kind, place
from ...trace import StepFact, Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW328"


def check(trace: Trace) -> Iterator[Facts]:
    """Every clearing that comes at every batch of a loop that steps at some."""
    source = Source(trace)
    for step in of_kind(trace, "step"):
        site, guard = step.site, _guard(source, step.site)
        if site is None or guard is None:
            continue
        for clear in _wasteful(trace, step):
            statement = source.statement_at(clear.site)
            if (
                statement is None
                or clear.site.file != site.file
                or next(around(statement), None) is not loop_around(guard)
            ):
                continue
            yield Facts(
                clear.site,
                fields={"line": site.line, "test": source.text(guard.test, site.file)},
                origins=place(trace, site),
                remedy=MoveLine(step.site),
            )
            break


def _guard(source: Source, site) -> ast.If | None:
    """The `if` with a remainder that decides whether a step is made."""
    node = condition_in_loop(source.statement_at(site))
    return node if node is not None and any(isinstance(part, ast.Mod) for part in walk(node.test)) else None


def _wasteful(trace: Trace, taken: StepFact) -> Iterator[StepFact]:
    """The clearings in a loop that came after the `backward` that `taken` steps on, at an earlier batch, and before any
    step could use it. What another `backward` left in these parameters on its way to its own is no loss."""
    key, own, wasted = taken.data["optimizer"], None, None
    for step in trace.steps:
        if step is taken:
            break
        if step.kind == "backward" and step.loop == taken.loop:
            own = step.site
    for step in trace.steps:
        if step.loop != taken.loop:
            continue
        if step.kind == "backward":
            wasted = step.site
        elif step.kind == "step" and step.data["optimizer"] == key:
            wasted = None
        elif step.kind == "zero_grad" and step.data.get("optimizer", key) == key:
            if wasted is not None and wasted == own and step.site is not None:
                yield step
            wasted = None


MESSAGES = {
    "en": {
        "message": "the gradients are cleared for every batch, but the optimizer steps only when {test}",
        "why": (
            "the gradients of all batches between two optimizer steps (line {line}) are lost, except those of the last "
            "batch"
        ),
    },
    "es": {
        "message": "los gradientes se borran en cada lote, pero el optimizador solo da un paso cuando {test}",
        "why": (
            "los gradientes de los lotes entre dos pasos del optimizador (línea {line}) se pierden, salvo los del "
            "último lote"
        ),
    },
    "ja": {
        "message": "勾配はバッチごとにクリアされますが、オプティマイザの更新は {test} のときだけです",
        "why": "2 回の更新 ({line} 行目) の間のバッチで求めた勾配は、最後のバッチの分を除いて失われます",
    },
}
