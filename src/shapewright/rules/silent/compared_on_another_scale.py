"""Predictions are compared with targets that are on a different scale from those the model learned.

## What it finds
A metric that compares predictions of a model trained on scaled targets (standardized, divided by a constant, a
logarithm) with the unscaled targets; or predictions that are scaled back and compared with the scaled targets, or that
are scaled back by a formula that is not the inverse of the scaling. These are recognized by their values. Also logits
that are compared with 0.5 or rounded, as if they were probabilities; the values of the largest scores compared with
class indices; and the index of the largest score used in the target of a regression, instead of the score. And two
tensors of which only one is converted before a comparison (boxes from center and size to corners, for example), while
another loss compares both before the conversion.

## Why it hurts
The error then depends on the distance between the two scales, and says little about how well the model predicts.

## Example
    scaled = (y - y.mean()) / y.std()
    ...                                      # trained on scaled
    error = (model(x) - y).abs().mean()

## Instead
    error = (model(x) * y.std() + y.mean() - y).abs().mean()

## Fix safety
Nothing is reported where the model was trained on both scales, or where it scales its own output back.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ... import ops
from ...graph.behind import behind
from ...graph.bootstrap import compared
from ...graph.flow import (
    RESHAPING,
    SAME_VALUES,
    argument,
    layer_of,
    lineage,
    maker,
    one_per_place,
    operands,
    produced,
    root,
    tensors,
    which,
)
from ...graph.ledger import ledger
from ...graph.scopes import around
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Remedy, Rewrite

code = "SW276"
SAME = RESHAPING | {"detach", "data", "cpu", "clone", "to", "float", "double", "contiguous"}  # logits stay logits
HALF = 0.5
EXTREMES = frozenset({"max", "min", "maximum", "minimum"})


def check(trace: Trace) -> Iterator[Facts]:
    """The first such comparison."""
    found = trace.data.off_scale
    if found is not None and found.where is not None:
        undone = found.right is not None
        yield Facts(
            found.where,
            message="back" if undone else "message",
            why="why_back" if undone else "why",
            fields={
                "targets": found.targets.name,
                "answers": found.answers.name,
                "first": found.answers.site.line,
                "second": found.targets.site.line,
                "given": f"{found.given:.4g}",
                "asked": f"{found.asked:.4g}",
                "right": f"{found.right or 0:.4g}",
            },
            origins=(
                *place(trace, found.answers.site),
                *place(trace, found.targets.site),
                *(origin for one in behind(trace, found.where, 1) if undone for origin in place(trace, one)),
            ),
            severity="warning",  # nothing trains on it
        )
    yield from _halved(trace)
    yield from _values(trace)
    yield from _indices(trace)
    yield from _converted(trace)


@one_per_place
def _converted(trace: Trace) -> Iterator[Facts]:
    """Every greater or lesser of two tensors of which one alone was made anew of sums and differences of its columns,
    while both are compared as they are elsewhere: boxes by center and size, and by corners."""
    met: dict[frozenset[int], Event] = {}
    for event in trace.events:
        if ops.is_a(event.op, "measures_error", "subtracts") and len(operands(event)) == 2 and event.site is not None:
            met.setdefault(frozenset(_root(trace, fact) for fact in operands(event)), event)
    for event in trace.events:
        if event.op not in EXTREMES or len(operands(event)) != 2 or event.site is None or event.modules:
            continue
        roots = [_root(trace, fact) for fact in operands(event)]
        for one, other in (roots, roots[::-1]):
            joined = trace.events[one] if one >= 0 else None
            if joined is None or not ops.is_a(joined.op, "joins") or joined.modules or joined.site is None:
                continue
            behind = ancestors(trace, next(iter(tensors(joined.result))), 24)
            before = {_root(trace, fact) for made in behind.values() for fact in operands(made)}
            same = next((met[pair] for at in before if (pair := frozenset((at, other))) in met and at != other), None)
            if same is None or other in before or not _sums_and_differences(behind.values()):
                continue
            called = len(event.stack) > 1 and joined.site.function != event.site.function
            yield Facts(
                event.stack[-2] if called else event.site,
                message="converted",
                why="why_converted",
                fields={"line": joined.site.line, "met": same.site.line if same.site else "?"},
                origins=place(trace, joined.site) + place(trace, same.site) + place(trace, event.site),
                event=event.index,
            )


def _sums_and_differences(events: Iterable[Event]) -> bool:
    """Whether both sums and differences of tensors are among some events."""
    pairs = [one.op for one in events if len(operands(one)) == 2]
    return any(ops.is_a(op, "adds") for op in pairs) and any(ops.is_a(op, "subtracts") for op in pairs)


def _root(trace: Trace, fact: TensorFact) -> int:
    """Which tensor it is, picked from and reshaped or not."""
    return which(root(trace, fact, lambda one: one.op.rstrip("_") in SAME_VALUES))


@one_per_place
def _values(trace: Trace) -> Iterator[Facts]:
    """Every comparison of the largest scores of what learns with class indices, where a loss is given such indices."""
    losses = [event for event in trace.events if ops.is_a(event.op, "classifies") and event.site is not None]
    for event in trace.events if losses else ():
        pair = operands(event)
        if event.op != "eq" or len(pair) != 2 or event.site is None or not any(fact.is_whole for fact in pair):
            continue
        floats = (fact for fact in pair if fact.dtype.startswith("float"))
        scores = next((root(trace, fact, lambda one: one.op.rstrip("_") in SAME) for fact in floats), None)
        made = produced(trace, scores) if scores is not None else None
        if made is None or not ops.is_a(made.op, "extremes", "ranks") or not ledger(trace).sources(scores):
            continue
        if scores.dtype.startswith("float"):  # not their indices, which were cast
            yield Facts(
                event.site,
                message="values",
                why="why_values",
                remedy=_index(trace, made),
                fields={"op": made.op, "line": losses[0].site.line},
                origins=place(trace, made.site),
                severity="warning",  # nothing trains on it
                event=event.index,
            )


@one_per_place
def _indices(trace: Trace) -> Iterator[Facts]:
    """Every index of what a network scored highest that is summed up with numbers in the target of a regression."""
    book = ledger(trace)
    for loss, _, target in compared(trace):
        made = sorted(lineage(trace, target, _summed, 24), key=lambda event: event.index)
        if not any(ops.is_a(event.op, "offsets") for event in made):
            continue  # the index itself may be what is asked for
        for event in made:
            index = next((fact for fact in _summed(event) if fact.is_whole and book.sources(fact)), None)
            chosen = produced(trace, root(trace, index, _same)) if index is not None else None
            if chosen is not None and ops.is_a(chosen.op, "extremes", "ranks") and chosen.site is not None:
                yield Facts(
                    chosen.site,
                    message="indices",
                    why="why_indices",
                    fields={"op": chosen.op, "line": loss.site.line if loss.site is not None else "?"},
                    origins=place(trace, event.site) + place(trace, loss.site),
                    event=chosen.index,
                )


def _same(made: Event) -> bool:
    return made.op.rstrip("_") in SAME


def _summed(made: Event) -> list[TensorFact]:
    """What a target is summed up of: numbers that are only handed on, scaled or added."""
    summing = _same(made) or ops.is_a(made.op, "offsets", "scales", "stacks")
    return operands(made) if summing else []


@one_per_place
def _halved(trace: Trace) -> Iterator[Facts]:
    """Every comparison of a model's logits with 0.5, where one loss at least is given them as logits."""
    logits: dict[tuple, Event] = {}
    for event in trace.events:
        if ops.is_a(event.op, "binary") and ops.is_a(event.op, "takes_logits"):
            made = _made(trace, argument(event, 0, "input"))
            if made is not None:
                logits[layer_of(trace, made)] = event
    for event in trace.events if logits else ():
        numbers = [part for part in event.args[:2] if isinstance(part, float)]
        rounds = event.op == "round" and not event.kwargs and len(event.args) == 1
        if not rounds and not (ops.is_a(event.op, "orders") and numbers == [HALF]):
            continue
        made = _made(trace, next(iter(operands(event)), None)) if event.site is not None else None
        loss = logits.get(layer_of(trace, made)) if made is not None else None
        if made is not None and loss is not None and loss.site is not None:
            yield Facts(
                event.site,
                message="halved",
                why="why_halved",
                remedy=_squashed(trace, event),
                fields={"loss": loss.op, "line": loss.site.line},
                origins=place(trace, made.site) + place(trace, loss.site),
                severity="warning",  # nothing trains on it
                event=event.index,
            )


def _squashed(trace: Trace, event: Event) -> Remedy:
    """A sigmoid around what is rounded, or compared."""
    compared = Source(trace).spanned(event.site, ast.Compare)
    if compared is None or event.site is None:
        return Rewrite("torch.sigmoid({})", argument=(0, "input"))
    return Rewrite("torch.sigmoid({})", Source(trace).site(compared.left, event.site.file))


def _index(trace: Trace, made: Event) -> Remedy | None:
    """The second part of what gives the largest values and their indices, where the first one is taken at once."""
    source = Source(trace)
    call = source.spanned(made.site, ast.Call)
    taken = next(around(call), None)
    if call is None or made.site is None:
        return None
    for kind, code in ((ast.Subscript, "[1]"), (ast.Attribute, ".indices")):
        if isinstance(taken, kind) and getattr(taken, "attr", "values") == "values":
            return Rewrite(source.text(call, made.site.file, 200) + code, source.site(taken, made.site.file))
    bound = taken.targets[0] if isinstance(taken, ast.Assign) else None
    if isinstance(bound, ast.Tuple) and len(bound.elts) == 2:
        values, indices = map(ast.unparse, bound.elts)
        return Rewrite(f"{indices}, {values}", source.site(bound, made.site.file))
    return None


def _made(trace: Trace, fact: object) -> Event | None:
    """What computed a tensor that learns, its form aside."""
    return maker(trace, fact, lambda e: e.op.rstrip("_") in SAME and operands(e))


MESSAGES = {
    "en": {
        "converted": (
            "only one of the two operands was converted to another format (as boxes are, from center and size to "
            "corners)"
        ),
        "why_converted": (
            "line {line} converts one operand by adding and subtracting its columns; the other operand is used "
            "unconverted. Line {met} compares both before the conversion, so they had the same format there"
        ),
        "back": (
            "predictions are scaled back by a formula that is not the inverse of the scaling from {targets} to "
            "{answers}"
        ),
        "why_back": (
            "the model was trained on {answers} (line {first}), computed from {targets} (line {second}). With the "
            "inverse scaling, the mean of these predictions would be {right}; it is {given}"
        ),
        "message": "predictions on the scale of {answers} are compared with {targets}, which has a different scale",
        "why": (
            "{answers} (line {first}) and {targets} (line {second}) are the same targets on two scales. The mean of "
            "the predictions is {given} and the mean of the targets {asked}, so the difference says little about the "
            "error"
        ),
        "halved": "logits are compared with the threshold 0.5, as if they were probabilities",
        "why_halved": (
            "line {line} passes these outputs to {loss}, which applies the sigmoid itself, so they are logits: the "
            "probability 0.5 is the logit 0. Logits between 0 and 0.5 count as negative, although their probability is "
            "above 0.5"
        ),
        "values": "the values of the largest scores are compared with class indices",
        "why_values": (
            "{op} returns the score values, but the targets are class indices (loss on line {line}); compare the "
            "indices of the largest scores (argmax)"
        ),
        "indices": "the target is computed with the index of the largest score, not with the score",
        "why_indices": (
            "{op} returns indices, which only say which score is the largest; the regression loss of line {line} gets "
            "a target computed from them. Use the scores"
        ),
    },
    "es": {
        "converted": (
            "solo uno de los dos operandos se convirtió a otro formato (como las cajas, de centro y tamaño a esquinas)"
        ),
        "why_converted": (
            "la línea {line} convierte un operando sumando y restando sus columnas; el otro se usa sin convertir. La "
            "línea {met} compara ambos antes de la conversión, así que allí tenían el mismo formato"
        ),
        "back": (
            "las predicciones se devuelven a la escala original con una fórmula que no es la inversa del escalado de "
            "{targets} a {answers}"
        ),
        "why_back": (
            "el modelo se entrenó con {answers} (línea {first}), calculado a partir de {targets} (línea {second}). Con "
            "el escalado inverso, la media de estas predicciones sería {right}; es {given}"
        ),
        "message": "se comparan predicciones en la escala de {answers} con {targets}, que tiene otra escala",
        "why": (
            "{answers} (línea {first}) y {targets} (línea {second}) son los mismos objetivos en dos escalas. La media "
            "de las predicciones es {given} y la de los objetivos {asked}, así que la diferencia dice poco del error"
        ),
        "halved": "se comparan logits con el umbral 0.5, como si fueran probabilidades",
        "why_halved": (
            "la línea {line} pasa estas salidas a {loss}, que aplica por sí misma la sigmoide, así que son logits: la "
            "probabilidad 0.5 es el logit 0. Los logits entre 0 y 0.5 cuentan como negativos, aunque su probabilidad "
            "es mayor que 0.5"
        ),
        "values": "se comparan los valores de las puntuaciones más altas con índices de clases",
        "why_values": (
            "{op} devuelve los valores de las puntuaciones, pero los objetivos son índices de clases (pérdida de la "
            "línea {line}); hay que comparar los índices de las puntuaciones más altas (argmax)"
        ),
        "indices": "el objetivo se calcula con el índice de la puntuación más alta, no con la puntuación",
        "why_indices": (
            "{op} devuelve índices, que solo dicen qué puntuación es la más alta; la pérdida de regresión de la "
            "línea {line} recibe un objetivo calculado con ellos. Hay que usar las puntuaciones"
        ),
    },
    "ja": {
        "converted": (
            "2 つのオペランドの一方だけが別の形式に変換されています (ボックスを中心とサイズから角の座標に変える場合など"
            ")"
        ),
        "why_converted": (
            "{line} 行目では、列どうしの和と差で一方だけが変換され、もう一方は変換されずに使われています。{met} 行目で"
            "は両方が変換前の値で比べられているので、元の形式は同じです"
        ),
        "back": "予測を元のスケールに戻す計算が、{targets} から {answers} へのスケーリングの逆になっていません",
        "why_back": (
            "モデルは {targets} ({second} 行目) から計算した {answers} ({first} 行目) で学習しています。正しい逆変換な"
            "らこの予測の平均は {right} ですが、{given} になっています"
        ),
        "message": "{answers} のスケールの予測を、別のスケールの {targets} と比べています",
        "why": (
            "{answers} ({first} 行目) と {targets} ({second} 行目) は同じターゲットを 2 つのスケールで表したものです。"
            "平均は予測が {given}、ターゲットが {asked} なので、差は誤差をほとんど表しません"
        ),
        "halved": "ロジットに、確率と同じしきい値 0.5 が使われています",
        "why_halved": (
            "{line} 行目でこの出力を受け取る {loss} は内部でシグモイドを適用するので、出力はロジットです。確率 0.5 "
            "はロジット 0 に当たり、0 から 0.5 までのロジットは、確率が 0.5 より大きいのに陰性として数えられます"
        ),
        "values": "最大のスコアの値をクラスのインデックスと比べています",
        "why_values": (
            "{op} が返すのはスコアの値ですが、ターゲットはクラスのインデックスです ({line} 行目の損失)。最大のスコアの"
            "インデックス (argmax) と比べてください"
        ),
        "indices": "ターゲットの計算で、最大のスコアではなくそのインデックスが足されています",
        "why_indices": (
            "{op} のインデックスはどのスコアが最大かを示すだけですが、{line} 行目の回帰の損失にはそれから計算したターゲ"
            "ットが渡されています。スコアの値を使ってください"
        ),
    },
}
