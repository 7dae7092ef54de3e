"""The model is evaluated on rows that it was trained on.

## What it finds
An evaluation table (passed to the model without gradients after training has begun) whose rows come from the training
table, where some of these rows were used for training. Rows are recognized by their values, even after they were
selected, scaled or converted. Also two data sets of equal content, of which one is trained on and the other is all
that is used for evaluation.

## Why it hurts
The metric says how well the rows were memorized, not how well the model does on new ones.

## Example
    train, test = rows, rows[200:]

## Instead
    train, test = rows[:200], rows[200:]

## Fix safety
Nothing is reported where other rows are used for evaluation as well, where all training rows are, or the first few of
them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts

code = "SW228"
slug = "judged-on-training-rows"
order = 60


def check(trace: Trace) -> Iterator[Facts]:
    """At the line that cut the two tables, or where the table that is trained on was last bound; at the loader of a
    data set that is built a second time."""
    for loader in trace.data.loaders:
        if loader["again"] and loader["sites"]:
            site, first = loader["sites"][-1], loader["again"][-1]
            yield Facts(
                site,
                message="sets",
                why="sets_why",
                fields={"line": first.line, "count": loader["length"]},
                origins=tuple(o for one in (*list(behind(trace, site))[1:4], first) for o in place(trace, one)),
                severity="warning",
            )
            return
    found = trace.data.retested
    if found is None:
        return
    whole, part = (behind(trace, one.site) for one in (found.trained, found.judged))
    site = next((one for one in whole if one in part and part[one] - whole[one]), found.trained.site)
    trained, judged = found.trained, found.judged
    yield Facts(
        site,
        fields={
            "rows": found.rows,
            "same": found.same,
            "trained": found.trained.name,
            "judged": found.judged.name,
            "of": found.trained.rows,
        },
        origins=tuple(
            origin
            for one in dict.fromkeys((trained.site, judged.site, found.where))
            if one not in (None, site)
            for origin in place(trace, one)
        ),
        severity="warning",
    )


MESSAGES = {
    "en": {
        "sets": "the data set used for evaluation has the same content as the training set (line {line})",
        "sets_why": (
            "both data sets have the same {count} samples, and nothing is evaluated on others: a metric measured on "
            "training samples only shows how well they were memorized"
        ),
        "message": "{same} of the {rows} rows of {judged} used for evaluation were also trained on",
        "why": (
            "all rows of {judged} are in {trained} ({of} rows): a metric measured on training rows only shows how "
            "well those rows were memorized"
        ),
    },
    "es": {
        "sets": "el conjunto con el que se evalúa tiene el mismo contenido que el de entrenamiento (línea {line})",
        "sets_why": (
            "los dos conjuntos tienen las mismas {count} muestras y no se evalúa con otras: una métrica medida en "
            "muestras de entrenamiento solo muestra cuánto se memorizaron"
        ),
        "message": "de las {rows} filas de {judged} que se evalúan, {same} también se usaron para entrenar",
        "why": (
            "todas las filas de {judged} están en {trained} ({of} filas): una métrica medida en filas de "
            "entrenamiento solo muestra cuánto se memorizaron esas filas"
        ),
    },
    "ja": {
        "sets": "評価に使うデータセットの内容が学習用 ({line} 行目) と同じです",
        "sets_why": (
            "2 つのデータセットは同じ {count} サンプルからなり、ほかのサンプルでは評価されません。"
            "学習済みのサンプルでの測定値は暗記の度合いを示すだけです"
        ),
        "message": "評価に使う {judged} の {rows} 行のうち {same} 行は、すでに学習に使われています",
        "why": (
            "{judged} の行はすべて {trained} ({of} 行) に含まれます。学習済みの行での測定値は暗記の度合いを示すだけです"
        ),
    },
}
