"""Inputs are scaled with statistics that were computed over evaluation rows.

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

import ast
from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.calls import every
from ...graph.training import place
from ...trace import Site, TableFact, Trace
from ..data_remedy import ScaleByKnown
from ..facts import Facts

code = "SW247"
STATISTICS = frozenset({"mean", "average", "nanmean", "min", "amin", "nanmin"})


def check(trace: Trace) -> Iterator[Facts]:
    """At the line that bound the scaled table, with the lines that it reads."""
    found = trace.data.scaled
    if found is None:
        return
    site, *before = (*(() if found.alone else _averaged(trace, found.table)), *behind(trace, found.table.site, 1))
    yield Facts(
        site,
        message="own" if found.alone else "message",
        why="own_why" if found.alone else "why",
        fields={"name": found.table.name, "rows": found.table.rows},
        origins=tuple(o for one in (*before, *_given(trace, found.table)) if one != site for o in place(trace, one)),
        # whole tables are scaled before the split in many a script whose author knows it
        severity="warning" if found.apart else "remark",
        remedy=ScaleByKnown(found.alone),
    )


def _averaged(trace: Trace, table: TableFact) -> Iterator[Site]:
    """Where the averages, or the ends, of a table are taken by its name."""
    for call, site in every(trace, ast.Call):
        named = [call.func.value, *call.args[:1]] if isinstance(call.func, ast.Attribute) else []
        if named and getattr(call.func, "attr", "") in STATISTICS and site.file == table.site.file:
            if any(isinstance(one, ast.Name) and one.id == table.name for one in named):
                yield site
                return


def _given(trace: Trace, table: TableFact) -> list[Site]:
    """The first call that is given a table whole, by its name: what computes the statistics may be a method of the
    user's."""
    calls = ((call, site) for call, site in every(trace, ast.Call) if site.file == table.site.file)
    whole = (site for call, site in calls if any(isinstance(a, ast.Name) and a.id == table.name for a in call.args))
    return [site for site in whole if site.line > table.site.line][:1]


MESSAGES = {
    "en": {
        "message": "{name} is scaled with statistics of {rows} rows, which include the evaluation rows",
        "why": (
            "the means and standard deviations (or minima and maxima) of the columns were computed over training and "
            "evaluation rows together, so information about the evaluation rows enters training. Compute them from the "
            "training rows only"
        ),
        "own": (
            "the {rows} evaluation rows of {name} are scaled with their own statistics, not with those of the training "
            "rows"
        ),
        "own_why": (
            "training rows and evaluation rows were scaled separately: each part has mean 0 and standard deviation 1 "
            "(or the range 0 to 1). The same scaled value can therefore represent different measurements"
        ),
    },
    "es": {
        "message": "{name} se escala con estadísticas de {rows} filas, que incluyen las filas de evaluación",
        "why": (
            "las medias y desviaciones típicas (o mínimos y máximos) de las columnas se calcularon con las filas de "
            "entrenamiento y las de evaluación juntas, así que el entrenamiento recibe información de las filas de "
            "evaluación. Calcúlalas solo con las filas de entrenamiento"
        ),
        "own": (
            "las {rows} filas de evaluación de {name} se escalan con sus propias estadísticas, no con las de las filas "
            "de entrenamiento"
        ),
        "own_why": (
            "las filas de entrenamiento y las de evaluación se escalaron por separado: cada parte tiene media 0 y "
            "desviación típica 1 (o va de 0 a 1). Un mismo valor escalado puede representar así medidas distintas"
        ),
    },
    "ja": {
        "message": "{name} のスケーリングに、評価用の行を含む {rows} 行の統計が使われています",
        "why": (
            "各列の平均と標準偏差 (または最小値と最大値) が、学習用と評価用の行を合わせて計算されているため、評価用の行"
            "の情報が学習に入ります。学習用の行だけから計算してください"
        ),
        "own": "{name} の評価用の {rows} 行が、学習用の行の統計ではなく、その行自身の統計でスケーリングされています",
        "own_why": (
            "学習用の行と評価用の行が別々にスケーリングされ、それぞれ平均 0、標準偏差 1 (または範囲 0 から 1) になって"
            "います。そのため、スケーリング後の値が同じでも、元の測定値は異なることがあります"
        ),
    },
}
