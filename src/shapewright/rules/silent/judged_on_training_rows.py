"""The model is judged on rows that it was trained on.

## What it finds
A table of rows that is given to the model without gradients after training has begun, all of whose rows are in the
table that it is trained on. Rows are recognized by their values, whatever cut, scaled or converted them.

## Why it hurts
The metric says how well the rows were learned by heart, not how well the model does on new ones.

## Example
    train, test = rows, rows[200:]

## Instead
    train, test = rows[:200], rows[200:]

## Fix safety
Nothing is reported where other rows are judged as well, where all training rows are, or the first few of them.
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
    """At the line that cut the two tables, or where the table that is trained on was last bound."""
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
        "message": "all {rows} rows of {judged} are among the {of} rows of {trained} that the model is trained on",
        "why": "what is measured on {judged} was learned from the same rows; no other rows are judged",
    },
    "es": {
        "message": "las {rows} filas de {judged} están entre las {of} filas de {trained} con que se entrena el modelo",
        "why": "lo que se mide en {judged} se aprendió de las mismas filas; no se evalúa ninguna otra",
    },
    "ja": {
        "message": "{judged} の {rows} 行はすべて、モデルの学習に使う {trained} の {of} 行に含まれています",
        "why": "{judged} での測定値は同じ行から学習した結果です。ほかの行では評価されていません",
    },
}
