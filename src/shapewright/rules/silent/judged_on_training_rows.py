"""The model is evaluated on rows that it was trained on.

## What it finds
An evaluation table (passed to the model without gradients after training has begun) whose rows come from the training
table, where some of these rows were used for training. Rows are recognized by their values, even after they were
selected, scaled or converted, and noisy or mirrored copies of them by their distance; so are the places of one table
that two index arrays pick. Also two data sets, of which one is trained on and the other, whose samples the first
contains, is all that is used for evaluation. Of a series, windows that lie between windows that were trained on; of a
table that holds rows several times, rows of which other copies were trained on.

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

import ast
from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.calls import called, dotted, every
from ...graph.scopes import around
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Site, Trace
from ..data_remedy import CutApart
from ..facts import Facts

code = "SW228"
SEEDS = frozenset({"manual_seed", "seed", "default_rng", "RandomState"})


def check(trace: Trace) -> Iterator[Facts]:
    """At the line that cut the two tables, or where the table that is trained on was last bound; at the loader of a
    data set that is built a second time."""
    data = trace.data
    guessed = trace.engine == "dry" or data.made is not None or data.invented is not None  # two may be made up alike
    found = data.retested
    for loader in () if guessed or found is not None else data.loaders:
        if loader["again"] and loader["sites"]:
            site, first = loader["sites"][-1], loader["again"][-1]
            shared, asked = loader["shared"]
            kind = "windows" if loader["windows"] else "sets" if shared == asked else "sets_part"
            near = (*list(behind(trace, site))[1:4], first, *list(behind(trace, first))[1:4])
            if loader["windows"]:  # the statement that divided what both read
                site = next((one for one in near[:3] if one in behind(trace, first)), site)
            lines = dict.fromkeys((loader["sites"][-1], *near, *_cut(trace, loader["class"])))
            yield Facts(
                site,
                message=kind,
                why=f"why_{kind}",
                fields={
                    "line": first.line,
                    "count": loader["length"],
                    "shared": shared,
                    "asked": asked,
                    "same": shared,
                    "rows": asked,
                },
                origins=tuple(o for one in lines if one != site for o in place(trace, one)),
                severity="warning",
            )
            return
    if found is None:
        return
    whole, part = (behind(trace, one.site) for one in (found.trained, found.judged))
    apart = [one for one in whole if one in part and part[one] - whole[one]]
    site = next(iter(apart), found.trained.site)
    trained, judged = found.trained, found.judged
    yield Facts(
        site,
        message="windows" if found.windows else "near" if found.far else "message",
        why="why_windows"
        if found.windows
        else "why_near"
        if found.far
        else "why"
        if found.shared == found.rows
        else "why_part",
        fields={
            "shared": found.shared,
            "rows": found.rows,
            "same": found.same,
            "trained": found.trained.name,
            "judged": found.judged.name,
            "of": found.trained.rows,
            "near": f"{found.near:.2g}",
            "far": f"{found.far:.2g}",
        },
        origins=tuple(
            origin
            for one in dict.fromkeys(
                (*apart, found.copied, trained.site, *list(whole)[:4], judged.site, *_seeds(trace, site), found.where)
            )
            if one not in (None, site)
            for origin in place(trace, one)
        ),
        severity="warning",
        remedy=CutApart(),
    )


def _seeds(trace: Trace, site: Site) -> Iterator[Site]:
    """Where a function that a statement calls starts the random numbers anew."""
    source = Source(trace)
    for function in called(source, site.file, source.statement_on(site.file, site.line)):
        for node in walk(function):
            if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in SEEDS:
                yield source.site(node, site.file)


def _cut(trace: Trace, kind: str) -> Iterator[Site]:
    """Where a data set of the user's cuts what it holds out of something."""
    for node, at in every(trace, ast.Assign):
        held = any(isinstance(one, ast.Attribute) for one in node.targets)
        if held and any(isinstance(one, ast.Slice) for one in walk(node.value)):
            if any(isinstance(one, ast.ClassDef) and one.name == kind for one in around(node)):
                yield at


MESSAGES = {
    "en": {
        "sets": "all samples of the data set used for evaluation are in the training set (line {line})",
        "why_sets": (
            "the training set contains all {count} of them, and nothing is evaluated on others: the metric says "
            "little about new samples"
        ),
        "sets_part": "{shared} of {asked} samples used for evaluation are in the training set (line {line})",
        "why_sets_part": "the data set used for evaluation has {count} samples; the metric says little about new ones",
        "message": "{same} of the {rows} rows of {judged} used for evaluation were also trained on",
        "why": "all rows of {judged} are in {trained} ({of} rows): the metric says little about new rows",
        "why_part": "{shared} of the {rows} rows of {judged} are also in {trained} ({of} rows)",
        "windows": "{same} of {rows} windows used for evaluation overlap with windows that were trained on",
        "why_windows": (
            "their steps, the first and the last ones too, are in training windows as well: the series was cut into "
            "windows before it was split, so the model was trained on the values that it is to predict"
        ),
        "near": "{same} of {rows} rows used for evaluation are slightly changed copies of rows that were trained on",
        "why_near": (
            "each of them is about {near} away from a training row, but {far} from all others: copies of one row, "
            "noisy or mirrored, were made before the split"
        ),
    },
    "es": {
        "sets": "todas las muestras del conjunto con el que se evalúa están en el de entrenamiento (línea {line})",
        "why_sets": (
            "el conjunto de entrenamiento contiene las {count} y no se evalúa con otras: la métrica dice poco de "
            "muestras nuevas"
        ),
        "sets_part": "de {asked} muestras con las que se evalúa, {shared} están en el conjunto de entrenamiento "
        "(línea {line})",
        "why_sets_part": "el conjunto con el que se evalúa tiene {count} muestras; la métrica dice poco de las nuevas",
        "message": "de las {rows} filas de {judged} que se evalúan, {same} también se usaron para entrenar",
        "why": "todas las filas de {judged} están en {trained} ({of} filas): la métrica dice poco de filas nuevas",
        "why_part": "{shared} de las {rows} filas de {judged} están también en {trained} ({of} filas)",
        "windows": "de {rows} ventanas con las que se evalúa, {same} se solapan con ventanas de entrenamiento",
        "why_windows": (
            "sus pasos, también los primeros y los últimos, están en ventanas de entrenamiento: la serie se cortó en "
            "ventanas antes de separarla, así que el modelo se entrenó con los valores que debe predecir"
        ),
        "near": "de {rows} filas que se evalúan, {same} son copias algo cambiadas de filas usadas para entrenar",
        "why_near": (
            "cada una está a unos {near} de una fila de entrenamiento y a {far} de todas las demás: las copias de una "
            "fila, con ruido o reflejadas, se hicieron antes de separar los datos"
        ),
    },
    "ja": {
        "sets": "評価に使うデータセットのサンプルがすべて学習用 ({line} 行目) に含まれています",
        "why_sets": (
            "{count} サンプルすべてが学習用のデータセットにもあり、ほかのサンプルでは評価されません。"
            "この値から新しいサンプルについて分かることはわずかです"
        ),
        "sets_part": "評価に使う {asked} サンプルのうち {shared} 個が学習用データセット ({line} 行目) に含まれています",
        "why_sets_part": (
            "評価用データセットは {count} サンプルです。この値から新しいサンプルについて分かることはわずかです"
        ),
        "message": "評価に使う {judged} の {rows} 行のうち {same} 行は、すでに学習に使われています",
        "why_part": "{judged} の {rows} 行のうち {shared} 行は {trained} ({of} 行) にも含まれます",
        "windows": "評価に使う {rows} 個の窓のうち {same} 個は、学習に使われた窓と重なっています",
        "why_windows": (
            "最初と最後を含め、そのステップは学習用の窓にもあります。系列が分割より前に窓へ切り分けられたため、"
            "モデルは予測すべき値を学習しています"
        ),
        "near": "評価に使う {rows} 行のうち {same} 行は、学習に使われた行を少し変えたコピーです",
        "why_near": (
            "どの行も学習用のある行から約 {near} しか離れておらず、ほかの行からは {far} 離れています。"
            "ノイズや反転によるコピーがデータの分割より前に作られています"
        ),
        "why": (
            "{judged} の行はすべて {trained} ({of} 行) に含まれます。この値から新しい行について分かることはわずかです"
        ),
    },
}
