"""Cross-validation goes on with one model: each fold begins with what the folds before it have learned.

## What it finds
A loop over folds in which one optimizer, made before the loop, trains one model in every fold, and nothing resets the
weights.

## Why it hurts
From the second fold on, the model is tested on samples that it was trained on. Its scores say little about new samples.

## Example
    model = Net()
    optimizer = Adam(model.parameters())
    for fold, (train_idx, val_idx) in enumerate(kfold.split(x)):
        ...

## Instead
    for fold, (train_idx, val_idx) in enumerate(kfold.split(x)):
        model = Net()
        optimizer = Adam(model.parameters())

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...graph.source import Source, walk
from ...graph.training import loop_of, of_kind, place
from ...lexicon import says
from ...trace import Site, StepFact, Trace
from ..facts import Facts
from ..loop_remedy import RestartEachRound

code = "SW334"


def check(trace: Trace) -> Iterator[Facts]:
    """Every loop over folds that keeps its model."""
    source = Source(trace)
    for node, at in every(trace, ast.For):
        file = at.file
        if not says(f"{ast.unparse(node.target)} {ast.unparse(node.iter)}", "fold"):
            continue
        body = "\n".join(ast.unparse(statement) for statement in node.body)
        rounds = [
            loop
            for loop in trace.loops
            if loop.site.file == file and loop.site.line == node.lineno and loop.iterations > 1
        ]
        if not rounds or says(body, "renewed") or not (says(body, "part") or _split_by_name(node)):
            continue
        optimizer = _kept(trace, file, node, {loop.uid for loop in rounds})
        if optimizer is None or not _evaluated(trace, {loop.uid for loop in rounds}):
            continue
        model = _made(trace, file, node)
        header = source.site(node.iter, file)
        yield Facts(
            header,
            fields={"optimizer": optimizer.site.line, "model": model.line if model else optimizer.site.line},
            severity="warning",
            origins=place(trace, optimizer.site) + place(trace, model),
            remedy=RestartEachRound(
                node.body[0].lineno,
                tuple(
                    sorted({site.line for site in (optimizer.site, model) if site is not None and site.file == file})
                ),
            ),
        )


def _split_by_name(loop: ast.For) -> bool:
    """Whether an index within the loop is named after a part of the data."""
    return any(
        says(ast.unparse(part.slice), "training", "held_out")
        for statement in loop.body
        for part in walk(statement)
        if isinstance(part, ast.Subscript)
    )


def _kept(trace: Trace, file: str, node: ast.For, loops: set[int]) -> StepFact | None:
    """The one optimiser that steps in the loop, if it was made before the loop."""
    steps = [step for step in of_kind(trace, "step") if _within(trace, step.loop, loops)]
    keys = {step.data["optimizer"] for step in steps}
    made = [step for step in of_kind(trace, "optimizer") if step.data["optimizer"] in keys]
    if (
        len(steps) < 2
        or len(keys) != 1
        or len(made) != 1
        or made[0].site is None
        or made[0].site.file != file
        or made[0].index > steps[0].index
    ):
        return None
    return (
        made[0]
        if made[0].site.line < node.lineno
        and not any(node.lineno <= site.line <= node.end_lineno for site in made[0].stack)
        else None
    )


def _evaluated(trace: Trace, loops: set[int]) -> bool:
    """Whether a model was called without learning in the loop."""
    return any(
        step.kind == "forward" and not step.data["grad"] and _within(trace, step.loop, loops) for step in trace.steps
    )


def _within(trace: Trace, uid: int, loops: set[int]) -> bool:
    for _ in range(12):
        if uid in loops:
            return True
        loop = loop_of(trace, uid)
        if loop is None:
            return False
        uid = loop.parent
    return False


def _made(trace: Trace, file: str, node: ast.For) -> Site | None:
    """Where the model that learns was made, above the loop."""
    for step in of_kind(trace, "forward"):
        module = trace.modules.get(step.data["module"])
        if step.data["grad"] and module is not None and module.stack and not module.kind.endswith("Loss"):
            site = module.stack[0]
            if site.file == file and site.line < node.lineno:
                return site
    return None


MESSAGES = {
    "en": {
        "message": "all folds train one model, which has already learned from samples that later folds test on",
        "why": (
            "the model of line {model} and its optimizer of line {optimizer} are created before the loop over folds, "
            "and nothing resets the weights"
        ),
    },
    "es": {
        "message": (
            "todas las particiones entrenan un mismo modelo, que ya aprendió de muestras con las que prueban las "
            "siguientes"
        ),
        "why": (
            "el modelo de la línea {model} y su optimizador de la línea {optimizer} se crean antes del bucle de "
            "particiones, y nada restablece los pesos"
        ),
    },
    "ja": {
        "message": "どの分割も同じモデルを学習させており、後の分割が評価に使うサンプルをすでに学習しています",
        "why": (
            "{model} 行目のモデルと {optimizer} 行目のオプティマイザは分割のループより前に作られ、重みを元に戻す処理が"
            "ありません"
        ),
    },
}
