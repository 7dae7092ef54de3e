"""A metric of scikit-learn is given the predictions where it expects the truth, or decisions where it expects scores.

## What it finds
A call such as `r2_score(predicted, true)`: the predictions of the model come first, the truth second, in a metric that
is not the same the other way round. And `roc_auc_score` (or another metric that goes through all thresholds) given
predictions that were compared with one threshold, or the index of the largest score. Also an R2 that is computed by
hand, `1 - errors / spread`, with the spread of the predictions, and a recall (or precision) per class whose confusion
matrix is summed over the wrong axis.

## Why it hurts
The number is that of another metric: a recall for a precision, errors divided by the spread of the predictions, an area
from one single threshold.

## Example
    print(r2_score(model(x).numpy(), y))

## Instead
    print(r2_score(y, model(x).numpy()))

## Fix safety
The two arguments are exchanged; only the reported value changes. Nothing is reported where the truth comes from a model
as well, or its origin is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import loaded
from ...graph.by_hand import arguments, shares, spreads
from ...graph.calls import dotted, every
from ...graph.flow import one_per_place
from ...graph.imports import library, stands_for
from ...graph.scopes import assignments, enclosing
from ...graph.source import Source, parsed, walk
from ...graph.training import of_kind, place
from ...lexicon import says
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import SwapSides

code = "SW382"
PREDICTED = frozenset({"y_pred", "y_score", "y_prob", "y_proba"})
SCORED = frozenset({"roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve", "log_loss"})
UNEVEN = SCORED | frozenset(
    {"r2_score", "explained_variance_score", "mean_absolute_percentage_error", "precision_score", "recall_score"}
    | {"confusion_matrix", "classification_report"}
)
DECIDING = frozenset({"argmax", "round"})
DEEP = 6


def check(trace: Trace) -> Iterator[Facts]:
    """Every such call."""
    steps = [step for step in of_kind(trace, "forward") if step.site is not None]
    calls = frozenset((site.file, site.line) for step in steps for site in (*step.stack, step.site))
    for node, site in every(trace, ast.Call) if calls else ():
        name = _metric(trace.sources[site.file], dotted(node.func))
        if name not in UNEVEN or len(node.args) + len(node.keywords) < 2:
            continue
        named = {one.arg: one.value for one in node.keywords}
        truth = named.get("y_true", node.args[0] if node.args else None)
        given = next((value for key, value in named.items() if key in PREDICTED), None)
        given = given or (node.args[1] if len(node.args) > 1 else None)
        if truth is None or given is None:
            continue
        own = frozenset(line for file, line in calls if file == site.file)
        first, second = (_behind(trace, part, site.file, own) for part in (truth, given))
        after = [part for part in second if own.isdisjoint(_lines(part))]
        told = "message" if _answers(first, own) and second and not _answers(second, own) else ""
        told = told or ("decided" if len(after) < len(second) and name in SCORED and any(map(_decides, after)) else "")
        if told:
            parts = second if told == "decided" else first
            yield Facts(
                site,
                message=told,
                why="why" if told == "message" else "why_decided",
                fields={"name": name, "truth": ast.unparse(truth), "given": ast.unparse(given)},
                origins=tuple(o for one in _sites(trace, parts, site) for o in place(trace, one)),
                severity="warning",  # nothing trains on it
                remedy=SwapSides() if told == "message" else None,
            )
    lines = {file: frozenset(line for own, line in calls if own == file) for file, _ in calls}
    for site, spread, other in spreads(trace) if calls else ():
        own = lines.get(site.file, frozenset())
        pair = [arguments(trace, part, site.file) for part in (spread, other)]
        made = [[_behind(trace, part, site.file, own) for part in parts] for parts in pair]
        if all(made) and all(_answers(one, own) for one in made[0]) and all(made[1]):
            if not any(_answers(one, own) for one in made[1]):
                yield Facts(
                    site,
                    message="spread",
                    why="why_spread",
                    fields={"given": ast.unparse(spread), "truth": ast.unparse(other)},
                    origins=tuple(o for one in _sites(trace, made[0][0], site) for o in place(trace, one)),
                    severity="warning",
                )
    yield from _tables(trace, lines)


@one_per_place
def _tables(trace: Trace, lines: dict[str, frozenset[int]]) -> Iterator[Facts]:
    """Every recall, or precision, whose diagonal is divided by the sums of the other one."""
    for site, name, axis, rows, columns in shares(trace) if lines else ():
        own = lines.get(site.file, frozenset())
        pair = [
            [_behind(trace, one, site.file, own) for one in arguments(trace, part, site.file)]
            for part in (rows, columns)
        ]
        guessed = [bool(one) and all(_answers(part, own) for part in one) for one in pair]
        recall, precision = says(name, "share_of_labels"), says(name, "share_of_guesses")
        if sum(guessed) != 1 or recall == precision or not all(part for one in pair for part in one):
            continue
        labels = guessed.index(False)  # the axis whose places are labels; a sum over the other one counts them
        if (axis == labels) == recall:
            yield Facts(
                site,
                message="table",
                why="why_table",
                fields={"name": name, "axis": axis, "want": 1 - axis},
                severity="warning",
            )


def _metric(text: str, called: str) -> str:
    """The name in scikit-learn of what a call calls, empty where it is none of its functions."""
    if not called or library(text, called) != "sklearn":
        return ""
    return (stands_for(parsed(text), called) + "." + called.partition(".")[2]).strip(".").rpartition(".")[2]


def _answers(parts: list[ast.AST], calls: frozenset[int]) -> bool:
    """Whether a model is called by any of some statements."""
    return any(not calls.isdisjoint(_lines(part)) for part in parts)


def _behind(trace: Trace, node: ast.expr, file: str, calls: frozenset[int]) -> list[ast.AST]:
    """An expression, and the statements that bound what it reads, in its function and at the top of its file, back to
    calls of a model; nothing where a name is bound by neither."""
    source = Source(trace)
    found: list[ast.AST] = [node]
    ahead: list[tuple[ast.AST, int]] = [(node, 0)] if calls.isdisjoint(_lines(node)) else []
    while ahead:
        at, far = ahead.pop(0)
        for name in sorted(loaded(at)) if far < DEEP else ():
            scopes = [scope for scope in (enclosing(node), source.tree(file)) if scope is not None]
            bound = next((made for scope in scopes if (made := list(assignments(scope, name)))), [])
            if not bound and far == 0:
                return []
            for statement, value, _ in bound:
                if statement not in found:
                    found.append(statement)
                    ahead += [(value, far + 1)] if calls.isdisjoint(_lines(statement)) else []
    return found


def _lines(part: ast.AST) -> range:
    """The lines of an expression or a statement, of a loop those of what it runs over."""
    inner = part.iter if isinstance(part, ast.For) else part
    first = getattr(inner, "lineno", 0)
    if isinstance(part, ast.expr) and not any(isinstance(one, ast.Call) for one in walk(part)):
        return range(0)  # a model may be called beside it
    return range(first, (getattr(inner, "end_lineno", None) or first) + 1)


def _decides(part: ast.AST) -> bool:
    """Whether an expression compares what it computes with a number, or takes the place of the largest, apart from the
    places that it picks."""
    if isinstance(part, ast.For):
        return False
    picked = {inner for one in walk(part) if isinstance(one, ast.Subscript) for inner in walk(one.slice)}
    for one in walk(part):
        called = isinstance(one, ast.Call) and dotted(one.func).rpartition(".")[2] in DECIDING
        compared = isinstance(one, ast.Compare) and any(isinstance(side, ast.Constant) for side in one.comparators)
        if (called or compared) and one not in picked:
            return True
    return False


def _sites(trace: Trace, parts: list[ast.AST], site: Site) -> list[Site]:
    source = Source(trace)
    made = [source.site(part, site.file) for part in parts[1:]]
    return [one for one in made if one.line != site.line]


MESSAGES = {
    "en": {
        "message": "{name} gets the predictions as the first argument and the true values as the second",
        "why": (
            "{truth} is computed by the model, and {given} is not; {name} expects the true values first, and the order "
            "changes the result"
        ),
        "decided": "{name} gets predicted classes instead of scores",
        "why_decided": (
            "{given} holds predicted classes (from a threshold, rounding or an argmax); {name} needs the scores "
            "themselves"
        ),
        "table": (
            "{name} divides the diagonal of a confusion matrix by the sums over axis {axis}, which is the wrong axis"
        ),
        "why_table": (
            "recall divides the matches of a class by the number of samples of that class, precision by the number of "
            "samples predicted as that class; the divisors needed here are the sums over axis {want} of this matrix"
        ),
        "spread": "this R2 divides the errors by the variation of the predictions, not of the true values",
        "why_spread": (
            "{given} is computed by the model; R2 divides the squared errors by the variation of {truth} around its "
            "mean, that is, by the errors of a model that always predicts the mean"
        ),
    },
    "es": {
        "message": "{name} recibe las predicciones en el primer argumento y los valores reales en el segundo",
        "why": (
            "{truth} lo calcula el modelo y {given} no; {name} espera primero los valores reales, y el orden cambia el "
            "resultado"
        ),
        "decided": "{name} recibe clases predichas en lugar de puntuaciones",
        "why_decided": (
            "{given} contiene clases predichas (con un umbral, por redondeo o con un argmax); {name} necesita las "
            "propias puntuaciones"
        ),
        "table": (
            "{name} divide la diagonal de una matriz de confusión entre las sumas sobre el eje {axis}, que es el "
            "equivocado"
        ),
        "why_table": (
            "la exhaustividad (recall) divide los aciertos de una clase entre el número de muestras de esa clase; la "
            "precisión los divide entre el número de muestras predichas como esa clase. Aquí hay que dividir entre las "
            "sumas sobre el eje {want} de esta matriz"
        ),
        "spread": (
            "este cálculo de R2 divide los errores entre la variación de las predicciones, no entre la de los valores "
            "reales"
        ),
        "why_spread": (
            "{given} lo calcula el modelo; R2 divide los errores al cuadrado entre la variación de {truth} en torno a "
            "su media, es decir, entre los errores de un modelo que siempre predice la media"
        ),
    },
    "ja": {
        "message": "{name} に、1 番目の引数として予測が、2 番目の引数として正解が渡されています",
        "why": (
            "{truth} はモデルが計算した値ですが、{given} はそうではありません。{name} の 1 番目の引数は正解で、"
            "順序によって結果が変わります"
        ),
        "decided": "{name} に、スコアではなく予測クラスが渡されています",
        "why_decided": (
            "{given} は予測クラスです (しきい値、丸め、または argmax によるもの)。{name} にはスコアそのものが必要です"
        ),
        "table": "{name} は混同行列の対角成分を軸 {axis} についての和で割っていますが、軸が逆です",
        "why_table": (
            "再現率は一致数をそのクラスのサンプル数で、適合率はそのクラスと予測されたサンプルの数で割ります。"
            "ここで割る数として必要なのは、この行列の軸 {want} についての和です"
        ),
        "spread": "この R2 では、誤差を真の値ではなく予測値のばらつきで割っています",
        "why_spread": (
            "{given} はモデルが計算した値です。R2 では、二乗誤差を {truth} の平均まわりのばらつき、"
            "つまり常に平均を予測するモデルの誤差で割ります"
        ),
    },
}
