"""Input values of a thousand and more enter a layer without scaling, or targets of thousands are learned so.

## What it finds
A model whose training input has a column with a mean absolute value of a thousand or more, which goes into a linear,
convolutional or recurrent layer without any normalization or scaling in between. Targets of a regression of a
thousand and more, while the outputs of the model's last layer are below a hundredth of them at every step of the run.
A table of a few columns that one mean and one standard deviation of all its values have scaled, so that one column
varies 50 times less than another. And pictures whose pixels, integers from 0 to 255, were normalized with the mean and
the standard deviation of pixels between 0 and 1.

## Why it hurts
Such a column can outweigh the others, units can saturate, and a learning rate that suits other weights can be far too
large for these. Outputs start near 0: with Adam each step moves them by about the learning rate, with SGD the
gradients are as large as the targets.

## Example
    x = torch.tensor(table[["area", "rooms"]].values, dtype=torch.float32)

## Instead
    x = (x - x.mean(0)) / x.std(0)         # of the training rows

## Fix safety
The table is normalized by its own mean and standard deviation; which rows these are taken from is the author's choice.
Nothing is reported where a normalization, a division or an embedding comes first, or where the outputs are scaled.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ... import ops
from ...graph.flow import SAME_VALUES, argument, first_layer, maker, tensors
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import handed_on, of_kind, place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import InsertLine, ScaleColumns

code = "SW229"
ERRORS = ops.named("measures_error")
LARGE, FAR_BELOW = 1000, 0.01
STEPS = 3  # of the run


def check(trace: Trace) -> Iterator[Facts]:
    """The first such input, and the first such targets."""
    yield from _targets(trace)
    for one in trace.data.one_scale:
        yield Facts(
            one.site,
            message="one",
            why="why_one",
            fields={
                "name": one.name,
                "count": one.count,
                "narrow": one.narrow,
                "least": f"{one.least:.2g}",
                "wide": one.wide,
                "most": f"{one.most:.2g}",
            },
            severity="warning",
            remedy=ScaleColumns(),
        )
    for large in trace.data.large:
        for step in of_kind(trace, "forward"):
            given = next(tensors(step.data["args"]), None) if step.site == large.site else None
            layer = first_layer(trace, given) if given is not None else None
            if layer is None or layer.site is None:
                continue
            yield Facts(
                large.site,
                message="pixels" if large.column < 0 else "message",
                why="why_pixels" if large.column < 0 else "why",
                fields={
                    "peak": f"{large.peak:.4g}",
                    "rest": f"{large.rest:.2g}",
                    "column": large.column,
                    "op": layer.op,
                },
                origins=tuple(o for one in (*large.tables, *handed_on(trace, given)) for o in place(trace, one))
                + place(trace, layer.site),
                severity="warning",
                remedy=_standardized(trace, large.tables) if large.column >= 0 else None,
            )
            return


def _standardized(trace: Trace, tables: Iterable[Site]) -> InsertLine | None:
    """The table that was bound last, less its mean and by its deviation, below what the script computes of it."""
    computed = {event.site.line for event in trace.events if event.site is not None and not ops.is_a(event.op, "picks")}
    for site in reversed(tuple(tables)):
        bound = Source(trace).statement_on(site.file, site.line)
        target = bound.targets[0] if isinstance(bound, ast.Assign) and len(bound.targets) == 1 else None
        if bound is None or not isinstance(target, ast.Name):
            continue
        body = next((own for own in vars(bound.parent).values() if isinstance(own, list) and bound in own), [])
        after = [one for one in body if isinstance(one, ast.Assign) and one.lineno > bound.lineno]
        readers = [one for one in after if one.lineno in computed and target.id in _names(one.value)]
        line = f"{target.id} = ({target.id} - {target.id}.mean(0)) / {target.id}.std(0)"
        return InsertLine(line, site=Source(trace).site([bound, *readers][-1], site.file), below=True, guessed=True)
    return None


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _targets(trace: Trace) -> Iterator[Facts]:
    """Targets that the outputs of a layer are far below, from the first step of the run to its last. What was made up
    for the run, or predicted, is no such target; returns grow with the steps of an episode."""
    if trace.data.made is not None or trace.data.invented is not None or trace.data.sums:
        return
    outputs = {index: values for index, name, values in trace.data.codes if name == "outputs"}
    met: dict[Site | None, list[tuple[Event, float, float]]] = {}
    for index, op, values in trace.data.codes:
        event = trace.events[index] if op in ERRORS and index in outputs and index < len(trace.events) else None
        if event is not None and event.op == op:
            least = min(map(abs, values)) if values[0] * values[1] > 0 else 0.0
            met.setdefault(event.site, []).append((event, least, max(map(abs, outputs[index]))))
    for site, found in met.items():
        event = found[-1][0]
        given, target = (argument(event, at, ("input", "target")[at]) for at in (0, 1))
        if site is None or len(found) < STEPS or not isinstance(target, TensorFact) or ledger(trace).sources(target):
            continue
        layer = maker(trace, given, lambda one: one.op.rstrip("_") in SAME_VALUES)
        if layer is None or not ops.is_a(layer.op, "contracts") or not ops.is_a(layer.op, "learned"):
            continue
        if all(least >= LARGE and most < least * FAR_BELOW for _, least, most in found):
            yield Facts(
                site,
                message="targets",
                why="why_targets",
                fields={
                    "loss": event.op,
                    "least": f"{min(one[1] for one in found):.4g}",
                    "most": f"{max(one[2] for one in found):.2g}",
                    "op": layer.op,
                    "count": len(found),
                },
                origins=tuple(o for one in handed_on(trace, target) for o in place(trace, one))
                + place(trace, layer.site),
                severity="warning",
            )
            return


MESSAGES = {
    "en": {
        "targets": (
            "the targets of {loss} are {least} or more, but the outputs of {op} stay at or below {most} at every step"
        ),
        "why_targets": (
            "this was true of all {count} computations of the loss that were checked. The outputs start near 0, and "
            "no operator brings them to the scale of the targets: normalize the targets by the mean and the standard "
            "deviation of the training data"
        ),
        "pixels": (
            "pictures with values up to {peak} are passed to {op}: pixels of 0 to 255 were scaled like pixels of 0 to 1"
        ),
        "why_pixels": (
            "neighboring values of the pictures are {rest} apart, so pixels that are integers were divided by a number "
            "below 1, such as the standard deviation of pixels between 0 and 1. Divide them by 255 first"
        ),
        "one": "{name} is normalized with one mean and one standard deviation for all {count} columns",
        "why_one": (
            "after it, column {narrow} (counted from 0) has a standard deviation of {least}, and column {wide} one of "
            "{most}: the model hardly sees column {narrow}. Normalize each column with its own mean and standard "
            "deviation"
        ),
        "message": (
            "column {column} of the input (counted from 0) has a mean absolute value of {peak} and is passed to "
            "{op} without scaling"
        ),
        "why": (
            "the mean absolute value of the other columns is {rest} (0 if there are none); this column is multiplied "
            "by the weights without any normalization or scaling"
        ),
    },
    "es": {
        "targets": (
            "los objetivos de {loss} son de {least} o más, pero las salidas de {op} no pasan de {most} en ningún paso"
        ),
        "why_targets": (
            "así ocurre en los {count} cálculos de la pérdida que se comprobaron. Las salidas empiezan cerca de 0 y "
            "ninguna operación las lleva a la escala de los objetivos; hay que normalizar los objetivos con la media y "
            "la desviación estándar de los datos de entrenamiento"
        ),
        "pixels": (
            "{op} recibe imágenes con valores de hasta {peak}: píxeles de 0 a 255 se escalaron como píxeles de 0 a 1"
        ),
        "why_pixels": (
            "los valores contiguos de las imágenes distan {rest}, así que unos píxeles enteros se dividieron entre un "
            "número menor que 1, como la desviación estándar de píxeles entre 0 y 1. Hay que dividirlos antes entre 255"
        ),
        "one": "{name} se normaliza con una sola media y una sola desviación estándar para sus {count} columnas",
        "why_one": (
            "después, la columna {narrow} (contada desde 0) tiene una desviación estándar de {least} y la columna "
            "{wide} una de {most}: el modelo apenas ve la columna {narrow}. Hay que normalizar cada columna con su "
            "propia media y su propia desviación estándar"
        ),
        "message": (
            "la columna {column} de la entrada (contada desde 0) tiene un valor absoluto medio de {peak} y se pasa "
            "a {op} sin escalar"
        ),
        "why": (
            "el valor absoluto medio de las otras columnas es {rest} (0 si no hay otras); esta columna se multiplica "
            "por los pesos sin normalizarla ni escalarla"
        ),
    },
    "ja": {
        "targets": ("{loss} のターゲットは {least} 以上ですが、{op} の出力はどのステップでも {most} 以下です"),
        "why_targets": (
            "これは、確認した {count} 回の損失計算のすべてで成り立ちました。出力は 0 付近から始まり、ターゲットのスケー"
            "ルに合わせる演算がありません。ターゲットを学習データの平均と標準偏差で正規化してください"
        ),
        "pixels": "{op} に最大 {peak} の画像が渡されています。0〜255 のピクセルが 0〜1 のものとして正規化されています",
        "why_pixels": (
            "画像の隣り合う値の間隔は {rest} なので、整数のピクセルが 1 未満の数 (0〜1 のピクセルの標準偏差など) で割ら"
            "れています。先に 255 で割ってください"
        ),
        "one": "{name} の {count} 列すべてが、1 つの平均と 1 つの標準偏差で正規化されています",
        "why_one": (
            "正規化の後、列 {narrow} (0 始まり) の標準偏差は {least}、列 {wide} の標準偏差は {most} です。モデルには列 "
            "{narrow} がほとんど見えません。各列をその列の平均と標準偏差で正規化してください"
        ),
        "message": (
            "入力の列 {column} (0 始まり) の絶対値の平均は {peak} で、スケーリングされずに {op} に渡されています"
        ),
        "why": (
            "ほかの列の絶対値の平均は {rest} (ほかの列がなければ 0) です。この列は正規化もスケーリングもされずに重みと"
            "掛け合わされます"
        ),
    },
}
