"""The values that the model is given include the target.

## What it finds
A model one of whose input columns equals the target of its loss in every sample, or whose input window ends with the
steps to predict, or with the first of them, or, cut from one series, holds them elsewhere; classes that are predicted
at some positions of a sequence and are the tokens that the model reads there; a token to predict that is among a few
input tokens; and rows computed from a series (a centered average, an interpolation) that change when the later value to
predict is changed. The probe compares inputs and targets of a training step, and computes such rows again.

## Why it hurts
The model can learn to copy its target. Its metrics can look excellent until it reads data whose target is not known.

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
from ...graph.batches import names_of
from ...graph.behind import behind, bound_to
from ...graph.calls import dotted
from ...graph.cuts import cut_at
from ...graph.flow import one_per_place, operands
from ...graph.origins import Origins
from ...graph.source import Source, parsed, walk
from ...graph.training import ancestors, handed_on, place
from ...lexicon import says
from ...trace import Event, Site, TargetLeak, TensorFact, Trace
from ..data_remedy import CutApart
from ..facts import Facts

code = "SW263"
WHOLE = frozenset({"first", "shown"})  # the answer itself is handed over, not a column that holds it


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every model that is handed the answer."""
    for answer in trace.answers(TargetLeak):
        data = answer.data
        columns = data.where in data.COLUMNS
        given, target = data.input, data.target
        if data.where == "later":
            yield Facts(
                data.marks[0],
                message="later",
                why="why_later",
                fields={"ahead": data.index, "felt": data.width, "samples": data.samples},
                origins=tuple(origin for site in data.marks[1:] for origin in place(trace, site)),
                severity="warning",  # what leads by its nature may have been made up so
            )
        if answer.site is None or given is None or target is None:
            continue
        if data.where not in WHOLE and _copying(trace, given, target):
            continue
        yield Facts(
            answer.site,
            message=data.where,
            why=f"why_{data.where}",
            fields={
                "model": data.model,
                "column": data.index + columns,
                "width": data.width,
                "samples": data.samples,
            },
            origins=tuple(o for site in _lines(trace, data) for o in place(trace, site))
            + tuple(Origins(trace).of_axis(given, 1, 3))
            + cut_at(trace, _compared(trace, target), answer.site),
            severity="warning" if data.where == "scaled" else "error",
            remedy=CutApart(columns=columns),
        )


def _compared(trace: Trace, target: TensorFact) -> Event | None:
    """The call that was given the target to compare with."""
    given = (event for event in trace.events if any(fact.uid == target.uid for fact in operands(event)))
    return next((event for event in given if ops.is_a(event.op, "measures_error", "classifies")), None)


def _lines(trace: Trace, data: TargetLeak) -> Iterator[Site]:
    """Where inputs and targets were cut out."""
    source, seen = Source(trace), dict.fromkeys((*data.marks, *handed_on(trace, data.target)))
    if data.where == "word" and data.input is not None:
        yield from _filled(trace, source, data.input)
    held = data.target if data.where in WHOLE else None
    made = bound_to(trace, held) if held is not None else []
    for site in (*seen, *made[:3]):
        yield site
        node = source.statement_on(site.file, site.line) if data.where == "first" else None
        named = names_of(node)
        for call in source.nodes(site.file) if named else ():
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "append" and len(call.args) == 1:
                filled = isinstance(call.func.value, ast.Name) and call.func.value.id in named
                if filled and any(isinstance(part, ast.Slice) for part in walk(call)):
                    yield source.site(call, site.file)


def _filled(trace: Trace, source: Source, given: TensorFact) -> Iterator[Site]:
    """Where the lists were filled that the inputs are made of: what was put into them, and how that was made."""
    for made in (*handed_on(trace, given), *bound_to(trace, given)):
        named = names_of(source.statement_on(made.file, made.line))
        for call in source.nodes(made.file) if named else ():
            if not (isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "append" and call.args):
                continue
            if isinstance(call.func, ast.Attribute) and dotted(call.func.value) in named:
                yield from list(behind(trace, source.site(call, made.file), 2))[:4]


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
    for node in walk(root):
        if not isinstance(node, ast.Assign):
            continue
        if isinstance(node.targets[0], ast.Name) and _drawn(node.value):
            drawn.add(node.targets[0].id)
        for part in walk(node.value):
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
        "column": (
            "{model} is given its target as input: it is column {column} of the {width} input columns (counted from 1)"
        ),
        "window": "{model} is given its target as input: the window of {width} steps includes the values to predict",
        "inside": (
            "{model} is given its targets as input: the window of {width} steps holds them from step {column} on "
            "(counted from 1)"
        ),
        "why_inside": (
            "in all {samples} samples of a training step, the values to predict are steps of the input window, and "
            "other steps follow or precede them there. The model only has to copy them and forecasts nothing"
        ),
        "first": "the first of the {column} steps that {model} should forecast is already the last step of its input",
        "why_first": (
            "in all {samples} samples of a training step, the first target equals the last of the {width} input steps. "
            "That value is already known, so the model forecasts one step fewer than intended"
        ),
        "word": "the {width} input tokens of {model} include the token that it should predict",
        "why_word": (
            "in a training step of {samples} samples, the target always equals the input token at one fixed position, "
            "or always the last token before the padding (targets that are padding are not counted). The model only "
            "has to copy this token"
        ),
        "shown": "{model} is given its targets as input at every position that it should predict (positions: {column})",
        "why_shown": (
            "the loss is computed at {column} of {width} positions, and at each of them the target equals the input "
            "token: the model only has to copy the token"
        ),
        "scaled": (
            "{model} is given its rescaled target as input: it is column {column} of the {width} input columns "
            "(counted from 1)"
        ),
        "why_scaled": (
            "in the {samples} samples of a training step, this column is a linear function of the target. Keep it only "
            "if its values are known before the target"
        ),
        "later": "these rows are input of the model, but are computed from later values that the model should predict",
        "why_later": (
            "the target comes after the input (distance in rows: {ahead}). Changing the target value alone also "
            "changed {felt} of the 16 inputs tried ({samples} samples in all). When a forecast is made, later values "
            "are not known"
        ),
        "why_column": (
            "in all {samples} samples of a training step, this column equals the target, so the model only has to copy "
            "the column"
        ),
        "why_window": (
            "in all {samples} samples of a training step, the window of {width} steps ends with the target (target "
            "steps in the window: {column}), so the model only has to copy the target"
        ),
    },
    "es": {
        "column": (
            "{model} recibe su objetivo como entrada: es la columna {column} de las {width} columnas de entrada "
            "(contando desde 1)"
        ),
        "window": (
            "{model} recibe su objetivo como entrada: la ventana de {width} pasos incluye los valores que hay que "
            "predecir"
        ),
        "inside": (
            "{model} recibe sus objetivos como entrada: la ventana de {width} pasos los contiene desde el paso "
            "{column} (contando desde 1)"
        ),
        "why_inside": (
            "en las {samples} muestras de un paso de entrenamiento, los valores que hay que predecir son pasos de la "
            "ventana de entrada, con otros pasos antes o después. Al modelo le basta con copiarlos y no predice nada"
        ),
        "first": "el primero de los {column} pasos que {model} debe predecir coincide con el último paso de su entrada",
        "why_first": (
            "en las {samples} muestras de un paso de entrenamiento, el primer objetivo es igual al último de los "
            "{width} pasos de entrada. Ese valor ya se conoce, así que el modelo predice un paso menos de lo previsto"
        ),
        "word": "los {width} tokens de entrada de {model} incluyen el token que debe predecir",
        "why_word": (
            "en un paso de entrenamiento de {samples} muestras, el objetivo es siempre igual al token de entrada de "
            "una misma posición, o siempre al último token antes del relleno (sin contar los objetivos de relleno). Al "
            "modelo le basta con copiar ese token"
        ),
        "shown": "{model} recibe sus objetivos como entrada en cada posición que debe predecir (posiciones: {column})",
        "why_shown": (
            "la pérdida se calcula en {column} de {width} posiciones y en cada una el objetivo es igual al token de "
            "entrada: al modelo le basta con copiar el token"
        ),
        "scaled": (
            "{model} recibe su objetivo reescalado como entrada: es la columna {column} de las {width} columnas de "
            "entrada (contando desde 1)"
        ),
        "why_scaled": (
            "en las {samples} muestras de un paso de entrenamiento, esta columna es una función lineal del objetivo. "
            "Consérvala solo si sus valores se conocen antes que el objetivo"
        ),
        "later": (
            "estas filas se pasan al modelo como entrada, pero se calculan con valores posteriores que el modelo debe "
            "predecir"
        ),
        "why_later": (
            "el objetivo viene después de la entrada (distancia en filas: {ahead}). Al cambiar solo el valor del "
            "objetivo cambiaron también {felt} de las 16 entradas probadas ({samples} muestras en total). Al predecir "
            "no se conocen los valores posteriores"
        ),
        "why_column": (
            "en las {samples} muestras de un paso de entrenamiento, esta columna es igual al objetivo: al modelo le "
            "basta con copiarla"
        ),
        "why_window": (
            "en las {samples} muestras de un paso de entrenamiento, la ventana de {width} pasos acaba con el objetivo "
            "(pasos del objetivo en la ventana: {column}), así que al modelo le basta con copiarlo"
        ),
    },
    "ja": {
        "column": "{model} の入力にターゲットそのものが入っています ({width} 列のうち {column} 列目)",
        "window": (
            "{model} の入力にターゲットそのものが入っています。{width} ステップの窓に予測すべき値が含まれています"
        ),
        "inside": (
            "{model} の入力にターゲットそのものが入っています。{width} ステップの窓の {column} ステップ目 (1 始まり) か"
            "らがターゲットです"
        ),
        "why_inside": (
            "ある学習ステップの {samples} サンプルすべてで、予測すべき値が入力の窓の途中のステップと一致します。モデル"
            "はそれを写すだけで済み、何も予測していません"
        ),
        "first": "{model} が予測する {column} ステップのうち最初のものは、入力の最後のステップとしてすでにモデルに渡"
        "されています",
        "why_first": (
            "ある学習ステップの {samples} サンプルすべてで、最初のターゲットが入力 {width} ステップの最後の値と一致しま"
            "す。すでに分かっている値なので、実際に予測するステップは意図より 1 つ少なくなります"
        ),
        "word": "{model} の入力 {width} トークンの中に、予測すべきトークンそのものが入っています",
        "why_word": (
            "{samples} サンプルの学習ステップで、ターゲットが常に、入力の決まった位置のトークン、またはパディング直前の"
            "トークンと一致します (パディングのターゲットは除く)。モデルはこのトークンを写すだけで済みます"
        ),
        "shown": "{model} の入力に、予測すべき {column} か所のターゲットがそのまま入っています",
        "why_shown": (
            "損失は {width} か所のうち {column} か所で計算されますが、そのすべてでターゲットが同じ位置の入力トークンと"
            "一致します。モデルは入力を写すだけで済みます"
        ),
        "scaled": "{model} の入力に、スケールを変えただけのターゲットが入っています ({width} 列のうち {column} 列目)",
        "why_scaled": (
            "ある学習ステップの {samples} サンプルで、この列はターゲットの一次関数になっています。ターゲットより前に分"
            "かる値である場合だけ、残してください"
        ),
        "later": "これらの行はモデルの入力ですが、モデルが予測すべき後の値から計算されています",
        "why_later": (
            "ターゲットは入力より {ahead} 行後にあります。ターゲットの値だけを変えると、試した 16 個の入力のうち "
            "{felt} 個も変わりました (全部で {samples} サンプル)。予測の時点では、後の値は分かりません"
        ),
        "why_column": (
            "ある学習ステップの {samples} サンプルすべてで、この列がターゲットと一致します。モデルはこの列を写すだけで"
            "済みます"
        ),
        "why_window": (
            "ある学習ステップの {samples} サンプルすべてで、{width} ステップの窓の最後の {column} ステップがターゲット"
            "と一致します。モデルはそれを写すだけで済みます"
        ),
    },
}
