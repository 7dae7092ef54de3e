"""Cross-validation goes on with one model: each fold begins with what the folds before it have learned.

## What it finds
Two parts of the data, or of their indices, that are assigned again in each round: one holds out other rows in every
round, the other holds the rest, which is trained on. One model goes on from round to round with the same weights.

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
Safe. Tasks that are learned one after the other, windows that move on in time and weights that are put back are not
reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.source import Source
from ...graph.training import constructed, of_kind, place
from ...trace import Site, Trace
from ..facts import Facts
from ..loop_remedy import RestartEachRound

code = "SW334"


def check(trace: Trace) -> Iterator[Facts]:
    """The model that goes on from fold to fold."""
    found, source = trace.data.crossed, Source(trace)
    module = trace.modules.get(found.model) if found is not None else None
    if found is None or module is None or module.site is None:
        return
    loop = _around(source, found.held)
    header = source.site(loop.iter, found.held.file) if loop is not None else found.held
    scope = source.function_at(found.held)
    made = constructed(trace, module, found.held) or module.site
    optimizers = [step.site for step in of_kind(trace, "optimizer") if step.site is not None]
    first = loop.lineno if loop is not None else 0
    above = sorted({one.line for one in (made, *optimizers) if one.line < first and source.function_at(one) is scope})
    yield Facts(
        header,
        fields={"model": made.line, "rows": found.rows, "shared": found.shared},
        severity="warning",
        origins=tuple(
            origin
            for site in dict.fromkeys((made, *module.stack[-2:], found.held, found.used, *optimizers[:1]))
            for origin in place(trace, site)
            if site != header
        ),
        remedy=RestartEachRound(loop.body[0].lineno, tuple(above)) if loop is not None and made.line in above else None,
    )


def _around(source: Source, site: Site) -> ast.For | None:
    """The innermost loop around a line."""
    loops = [one for one in source.nodes(site.file) if isinstance(one, ast.For) and one.lineno < site.line]
    return max((one for one in loops if site.line <= (one.end_lineno or 0)), key=lambda one: one.lineno, default=None)


MESSAGES = {
    "en": {
        "message": "all folds train the same model: in earlier folds, it learns from test samples of later folds",
        "why": (
            "of the {rows} test samples of the second fold, {shared} were used for training in the first fold; the "
            "model of line {model} keeps the weights learned there"
        ),
    },
    "es": {
        "message": (
            "todos los pliegues (folds) entrenan el mismo modelo: en los primeros, el modelo aprende de muestras de "
            "prueba de los posteriores"
        ),
        "why": (
            "de las {rows} muestras de prueba del segundo pliegue, {shared} se usaron para entrenar en el primero; el "
            "modelo de la línea {model} conserva los pesos aprendidos en él"
        ),
    },
    "ja": {
        "message": (
            "どの分割 (fold) も同じモデルを学習させています。モデルは先の分割で、後の分割のテスト用サンプルを学習してし"
            "まいます"
        ),
        "why": (
            "2 番目の分割のテスト用 {rows} サンプルのうち、{shared} サンプルは 1 番目の分割で学習に使われています。"
            "{model} 行目のモデルは、そこで学習した重みを引き継ぎます"
        ),
    },
}
