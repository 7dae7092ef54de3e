"""The statistics that scale the inputs were taken of rows that the model is evaluated on.

## What it finds
A table whose columns have mean 0 and standard deviation 1 (or range from 0 to 1) over all of its rows, of which some
are trained on and others are used for evaluation; and a table of evaluation rows that was scaled by statistics of its
own.

## Why it hurts
Statistics of held-out rows should not enter training. Rows that are scaled by their own statistics are on a different
scale from the training rows: the same number can represent a different measurement.

## Example
    x = (x - x.mean(0)) / x.std(0)
    train, test = x[:200], x[200:]

## Instead
    train, test = x[:200], x[200:]
    mean, std = train.mean(0), train.std(0)
    train, test = (train - mean) / std, (test - mean) / std

## Fix safety
Nothing is reported where the statistics are those of the training rows, or known beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.training import place
from ...trace import Trace
from ..data_remedy import ScaleByKnown
from ..facts import Facts

code = "SW247"


def check(trace: Trace) -> Iterator[Facts]:
    """At the line that bound the scaled table, with the lines that it reads."""
    found = trace.data.scaled
    if found is None:
        return
    site, *before = behind(trace, found.table.site, 1)
    yield Facts(
        site,
        message="own" if found.alone else "message",
        why="own_why" if found.alone else "why",
        fields={"name": found.table.name, "rows": found.table.rows},
        origins=tuple(origin for one in before for origin in place(trace, one)),
        # whole tables are scaled before the split in many a script whose author knows it
        severity="warning" if found.apart else "remark",
        remedy=ScaleByKnown(found.alone),
    )


MESSAGES = {
    "en": {
        "message": "{name} is scaled with the statistics of {rows} rows that include those used for evaluation",
        "why": (
            "the columns are scaled by means and standard deviations (or ends of ranges) over the training and "
            "held-out rows together; statistics of the training rows alone would contain nothing of the held-out rows"
        ),
        "own": "the {rows} evaluation rows of {name} are scaled with their own statistics",
        "own_why": (
            "the training rows and the evaluation rows each have mean 0 and standard deviation 1 (or range from 0 to "
            "1) by themselves: equal scaled values can represent different measurements"
        ),
    },
    "es": {
        "message": "{name} se escala con las estadísticas de {rows} filas que incluyen las de evaluación",
        "why": (
            "las columnas se escalan con medias y desviaciones típicas (o extremos) calculadas sobre las filas de "
            "entrenamiento y las reservadas juntas; las de las filas de entrenamiento solas no contendrían nada de "
            "las reservadas"
        ),
        "own": "las {rows} filas de evaluación de {name} se escalan con sus propias estadísticas",
        "own_why": (
            "las filas de entrenamiento y las de evaluación tienen cada una por su cuenta media 0 y desviación típica "
            "1 (o van de 0 a 1): valores escalados iguales pueden representar medidas distintas"
        ),
    },
    "ja": {
        "message": "{name} は、評価に使う行を含む {rows} 行の統計で正規化されています",
        "why": (
            "各列が、学習用と評価用の行を合わせた平均と標準偏差 (または範囲の両端) でスケーリングされています。学習用の"
            "行だけの統計なら、評価用の行の情報は入りません"
        ),
        "own": "評価に使う {name} の {rows} 行が、その行自身の統計で正規化されています",
        "own_why": (
            "学習用の行と評価用の行が、それぞれ単独で平均 0、標準偏差 1 (または範囲 0 から 1) になっています。正規化後"
            "の値が同じでも、元の測定値は異なることがあります"
        ),
    },
}
