"""The targets are among the values that the model is given.

## What it finds
A model one of whose input columns equals the target of its loss, sample by sample, or whose window of past steps ends
with the very steps
that are to be predicted. The probe lays inputs and targets of a training step beside each other.

## Why it hurts
The model learns to copy that column. Its scores are excellent until it reads data whose target is not known.

## Example
    x = torch.tensor(table.values)            # the column "price" is still in it
    y = torch.tensor(table["price"].values)

## Instead
    x = torch.tensor(table.drop(columns="price").values)

## Fix safety
Reconstruction, teacher forcing and masked inputs are not reported: there the target is the whole of an input, or is
shifted or hidden in it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import dotted
from ...graph.flow import one_per_place
from ...graph.origins import Origins
from ...graph.source import parsed
from ...graph.training import ancestors, handed_on, place
from ...lexicon import says
from ...trace import Event, TargetLeak, TensorFact, Trace
from ..facts import Facts

code = "SW263"
slug = "targets-leak-into-inputs"
order = 70


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every model that is handed the answer."""
    for answer in trace.answers(TargetLeak):
        data = answer.data
        given, target = data.input, data.target
        if answer.site is None or given is None or target is None or _copying(trace, given, target):
            continue
        yield Facts(
            answer.site,
            message=data.where,
            why=f"why_{data.where}",
            fields={
                "model": data.model,
                "column": data.index + (data.where != "window"),
                "width": data.width,
                "samples": data.samples,
            },
            origins=tuple(o for site in (*data.marks, *handed_on(trace, target)) for o in place(trace, site))
            + tuple(Origins(trace).of_axis(given, 1, 3)),
            severity="warning" if data.where == "scaled" else "error",
        )


def _copying(trace: Trace, given: TensorFact, target: TensorFact) -> bool:
    """Whether the task is to copy: the target is cut from the very random numbers that the model is to read."""
    left, right = ancestors(trace, given), ancestors(trace, target)
    shared: list[Event] = [left[index] for index in left.keys() & right.keys()]
    if any(
        ops.is_a(event.op, "draws", "counts_up") and isinstance(event.result, TensorFact) and event.result.rank > 1
        for event in shared
    ):  # a series is cut into windows by everyone
        return not any(ops.is_a(event.op, "joins") and not _collating(event) for event in shared)
    return any(_cut_from_random(text) for text in trace.sources.values())


def _collating(event: Event) -> bool:
    """Whether rows of a data set are put into a batch rather than columns into a table."""
    return isinstance(event.result, TensorFact) and any(axis.role == "batch" for axis in event.result.axes)


def _cut_from_random(text: str) -> bool:
    """Whether a script takes a column `y = x[:, 0]` of what it has drawn at random as `x`."""
    root = parsed(text)
    drawn, cut = set(), set()
    for node in ast.walk(root):
        if not isinstance(node, ast.Assign):
            continue
        if isinstance(node.targets[0], ast.Name) and _drawn(node.value):
            drawn.add(node.targets[0].id)
        for part in ast.walk(node.value):
            if (
                isinstance(part, ast.Subscript)
                and isinstance(part.value, ast.Name)
                and isinstance(part.slice, ast.Tuple)
            ):
                cut.add(part.value.id)
    return bool(drawn & cut)


def _drawn(node: ast.expr) -> bool:
    """Whether an expression is a draw of random numbers, perhaps turned into a tensor or another type."""
    while isinstance(node, ast.Call):
        if says(dotted(node.func), "random"):
            return True
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        node = inner if isinstance(inner, ast.Call) else node.args[0] if node.args else None
    return False


MESSAGES = {
    "en": {
        "column": "{model} gets its own target as input: input column {column} of {width}",
        "window": ("{model} gets its own target as input: its window of {width} steps includes the values to predict"),
        "scaled": "{model} gets its own target, rescaled, as input: input column {column} of {width}",
        "why_scaled": (
            "in the {samples} samples of a training step that column is a linear function of the loss's target; if "
            "it is known before the target, it can be kept"
        ),
        "why_column": (
            "in all {samples} samples of a training step that column equals the loss's target, so the model "
            "only has to copy it"
        ),
        "why_window": (
            "in all {samples} samples of a training step the last {column} of the {width} steps equal the "
            "loss's target, so the model only has to copy them"
        ),
    },
    "es": {
        "column": "{model} recibe su propio objetivo como entrada: la columna {column} de {width}",
        "window": (
            "{model} recibe su propio objetivo como entrada: su ventana de {width} pasos incluye los valores que "
            "hay que predecir"
        ),
        "scaled": "{model} recibe su propio objetivo reescalado como entrada: la columna {column} de {width}",
        "why_scaled": (
            "en las {samples} muestras de un paso de entrenamiento esa columna es una función lineal del objetivo "
            "de la pérdida; si se conoce antes que él, puede conservarse"
        ),
        "why_column": (
            "en las {samples} muestras de un paso de entrenamiento esa columna es igual al objetivo de la pérdida: al "
            "modelo le basta con copiarla"
        ),
        "why_window": (
            "en las {samples} muestras de un paso de entrenamiento los últimos {column} de los {width} pasos son "
            "iguales al objetivo: al modelo le basta con copiar"
        ),
    },
    "ja": {
        "column": "{model} の入力にターゲットそのものが入っています ({width} 列のうち {column} 列目)",
        "window": (
            "{model} の入力にターゲットそのものが入っています。{width} ステップの窓に予測すべき値が含まれています"
        ),
        "scaled": "{model} の入力に、尺度を変えただけのターゲットが入っています ({width} 列のうち {column} 列目)",
        "why_scaled": (
            "学習ステップの {samples} サンプルで、この列は損失のターゲットの"
            "一次式になっています。ターゲットより前に分かる値であれば残して構いません"
        ),
        "why_column": (
            "学習ステップの {samples} サンプルすべてで、この列が損失のターゲ"
            "ットと一致します。モデルはそれを写すだけで済みます"
        ),
        "why_window": (
            "学習ステップの {samples} サンプルすべてで、{width} ステップのうち最後の {column} "
            "個がターゲットと一致します。モデルはそれを写すだけで済みます"
        ),
    },
}
