"""A sum over batches is divided by a count that does not fit what was added.

## What it finds
Correct predictions, or losses times their batch size, divided by the number of batches, by the number of images where
pixels were compared, or by the number of rows of another split; correct predictions at the positions that a mask or
ignored targets leave, or the sum of their losses, divided by the number of all positions; one mean per batch
(`loss.item()` of a loss that averages) divided by the number of samples. A training loss that averages already and is
divided by a count of positives, or that is divided twice by the number of batches whose gradients are added up.
Matches among the k largest scores divided by the number of all k guesses, of which only one can match.

## Why it hurts
The value is wrong, often by a factor of the batch size: a loss that looks tiny, an accuracy above one. Then runs with
different batch sizes cannot be compared.

## Example
    running += loss.item()
    ...
    print(running / len(loader.dataset))

## Instead
    print(running / len(loader))

## Fix safety
Only the reported value changes. A training loss gets no edit: which of its two divisions to keep is the author's
choice.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator

from ...graph.batches import names_of
from ...graph.flow import TARGET_LOSSES, one_per_place, operands, reduction, sample_uids
from ...graph.metrics import Ratio, ratios
from ...graph.scopes import enclosing
from ...graph.source import Source, walk
from ...graph.training import losses, of_kind, place
from ...graph.units import terms
from ...lexicon import says
from ...trace import Event, Origin, Site, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW330"
aliases = ("divided-by-another-count",)
BATCHES = ("DataLoader",)
PLACES = frozenset({"places", "summed", "guesses"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every division of a sum by a count that is not that of what was added."""
    source = Source(trace)
    for ratio in ratios(trace):
        if ratio.fits or (ratio.kind == "guesses" and says(_statement(source, ratio.site), "share_of_guesses")):
            continue
        node = source.node_at(ratio.site, (ast.BinOp, ast.AugAssign))
        parts = (node.left, node.right) if isinstance(node, ast.BinOp) else (None, None)
        if isinstance(node, ast.AugAssign):
            parts = (node.target, node.value)
        file = ratio.site.file
        yield Facts(
            ratio.site,
            message=ratio.kind if ratio.kind in PLACES else "message",
            why=f"why_{ratio.kind}" if ratio.kind in PLACES else ratio.kind,
            fields={
                "name": source.text(parts[0], file) or f"Σ ({ratio.added.line})",
                "divisor": (ratio.kind not in PLACES and source.text(parts[1], file)) or f"{ratio.divisor:.6g}",
                "line": ratio.added.line,
                "count": ratio.count,
            },
            severity="warning",  # nothing trains on it
            origins=(*place(trace, ratio.added), *_counting(trace, source, parts[1], file)),
            remedy=_remedy(source, ratio, parts[1]) or _counted(source, ratio, parts[1]),
        )
    yield from _again(trace)


@one_per_place
def _again(trace: Trace) -> Iterator[Facts]:
    """Losses that are divided once too often."""
    samples = sample_uids(trace)
    kinds = [step.kind for step in of_kind(trace, "backward", "step")]
    added_up = any(pair == ("backward", "backward") for pair in itertools.pairwise(kinds))
    for step, loss in losses(trace):
        found = list(terms(trace, loss, samples))
        for term in found:
            alone = sum(other.event.site == term.event.site for other in found) == 1
            numbers = [number for _, number in term.by if number is not None]
            by = next((event for event, number in term.by if number is None), None)
            twice = next((number for number in numbers if number > 1 and numbers.count(number) > 1), None)
            if twice is not None and added_up and len(numbers) == 2 and float(twice).is_integer():
                by = next(event for event, number in term.by if number == twice)
                inner = next(event for event, number in reversed(term.by) if number == twice)
                line, kind = inner.site, "twice"
            elif by is not None and alone and _averages(term.event) and 0.3 <= abs(math.prod(numbers)) <= 3:
                line, kind = term.event.site, "again"
            else:
                continue
            if by.site is not None and line is not None and step.site is not None:
                yield Facts(
                    by.site,
                    message=kind,
                    why=f"why_{kind}",
                    fields={"line": line.line, "divisor": f"{twice or 0:.6g}", "op": term.event.op},
                    severity="warning",
                    origins=(*place(trace, line), *place(trace, step.site)),
                    event=by.index,
                )


def _averages(event: Event) -> bool:
    """Whether an operator averages many numbers of a batch into one."""
    many = any(fact.rank > 0 and fact.sizes[0] > 1 for fact in operands(event)[:1])
    return (
        many and (reduction(event) if event.op in TARGET_LOSSES else event.op) == "mean" and "dim" not in event.kwargs
    )


def _statement(source: Source, site: Site) -> str:
    """The text of the statement at a site, and of the function around it."""
    node = source.statement_at(site)
    function = enclosing(node) if node is not None else None
    return f"{source.site_text(site)} {ast.unparse(node) if node else ''} {function.name if function else ''}"


def _counting(trace: Trace, source: Source, divisor: ast.AST | None, file: str) -> tuple[Origin, ...]:
    """The lines that count up the names in a divisor."""
    names = names_of(divisor)
    found = (node for node in source.nodes(file) if isinstance(node, ast.AugAssign))
    counted = (node for node in found if isinstance(node.target, ast.Name) and node.target.id in names)
    return tuple(origin for node in counted for origin in place(trace, source.site(node, file)))


def _remedy(source: Source, ratio: Ratio, divisor: ast.expr | None) -> Rewrite | None:
    """`len(loader)` for the length of its data set, and the other way round."""
    thing = divisor.args[0] if isinstance(divisor, ast.Call) and divisor.args else None
    if thing is None or getattr(divisor.func, "id", "") != "len":
        return None
    where = source.site(divisor, ratio.site.file)
    if ratio.kind != "means" and ratio.counted in BATCHES and ratio.whole:
        return Rewrite(f"len({ast.unparse(thing)}.dataset)", where)
    if ratio.kind == "means" and isinstance(thing, ast.Attribute) and thing.attr == "dataset":
        return Rewrite(f"len({ast.unparse(thing.value)})", where)
    return None


def _counted(source: Source, ratio: Ratio, divisor: ast.expr | None) -> Rewrite | None:
    """The statement that adds to the divisor adds the number of comparisons instead."""
    file = ratio.added.file
    added = source.statement_on(file, ratio.added.line)
    compared = next((part for part in walk(added) if isinstance(part, ast.Compare)), None) if added else None
    if ratio.kind != "hits" or compared is None or not isinstance(divisor, ast.Name):
        return None
    named = next((part for part in (compared.left, *compared.comparators) if isinstance(part, ast.Name)), None)
    loop = getattr(added, "parent", None)
    for statement in getattr(loop, "body", ()) if named is not None else ():
        adds = isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name)
        if adds and statement.target.id == divisor.id:
            return Rewrite(f"{named.id}.numel()", source.site(statement.value, file))
    return None


MESSAGES = {
    "en": {
        "message": "{name} is divided by {divisor}, which is not the number of values that were added up",
        "places": "matches are divided by the number of all positions, {divisor}, of which only {count} count",
        "why_places": (
            "the other positions, such as padding, are left out by a mask or because the loss ignores their targets, "
            "but they are counted here: as wrong, or as right where the model happens to predict the padding value"
        ),
        "summed": (
            "the sum of the losses is divided by the number of all positions, {divisor}, of which only {count} count"
        ),
        "why_summed": (
            "the loss ignores the other positions, such as padding, and adds nothing for them: their mean, and a "
            "perplexity computed from it, is too small"
        ),
        "means": (
            "line {line} adds one mean per batch, {count} in all; dividing by a different number does not give their "
            "mean"
        ),
        "hits": (
            "line {line} counts matches in {count} comparisons; dividing by a different number does not give the "
            "fraction of matches"
        ),
        "weighted": (
            "line {line} adds up losses multiplied by their number of samples, {count} samples in all; dividing by a "
            "different number does not give their mean"
        ),
        "guesses": "matches are divided by the number of all top-k predictions, {divisor}, for only {count} labels",
        "why_guesses": (
            "of the top-k predictions for one sample only one can be its label: this share cannot get above {count} / "
            "{divisor}"
        ),
        "twice": "the loss is divided by {divisor} twice",
        "why_twice": (
            "line {line} divides it already: the gradients that are added up over the batches are {divisor} times too "
            "small"
        ),
        "again": "a loss that is already a mean is divided by a count",
        "why_again": (
            "{op} of line {line} averages; a second division makes the loss smaller in batches with a larger count, so "
            "their samples count less"
        ),
    },
    "es": {
        "message": "{name} se divide entre {divisor}, que no es el número de valores sumados",
        "places": ("los aciertos se dividen entre el número de todas las posiciones, {divisor}; solo cuentan {count}"),
        "why_places": (
            "las demás posiciones, como el relleno, quedan fuera por una máscara o porque la pérdida ignora sus "
            "objetivos, pero aquí se cuentan: como errores, o como aciertos donde el modelo predice casualmente el "
            "valor del relleno"
        ),
        "summed": (
            "la suma de las pérdidas se divide entre el número de todas las posiciones, {divisor}; solo cuentan {count}"
        ),
        "why_summed": (
            "la pérdida ignora las demás posiciones, como el relleno, y no suma nada por ellas: su media, y una "
            "perplejidad calculada con ella, es demasiado pequeña"
        ),
        "means": (
            "la línea {line} suma una media por lote, {count} en total; dividir entre otro número no da su promedio"
        ),
        "hits": (
            "la línea {line} cuenta aciertos en {count} comparaciones; dividir entre otro número no da la proporción "
            "de aciertos"
        ),
        "weighted": (
            "la línea {line} suma pérdidas multiplicadas por su número de muestras, {count} muestras en total; "
            "dividir entre otro número no da su promedio"
        ),
        "guesses": (
            "los aciertos se dividen entre el número de todas las predicciones top-k, {divisor}; hay solo {count} "
            "etiquetas"
        ),
        "why_guesses": (
            "de las predicciones top-k de una muestra solo una puede ser su etiqueta: esta proporción no puede superar "
            "{count} / {divisor}"
        ),
        "twice": "la pérdida se divide dos veces entre {divisor}",
        "why_twice": (
            "la línea {line} ya la divide: los gradientes que se suman a lo largo de los lotes son {divisor} veces "
            "menores de lo debido"
        ),
        "again": "una pérdida que ya es una media se divide entre un recuento",
        "why_again": (
            "{op} de la línea {line} promedia; una segunda división hace menor la pérdida en los lotes con un recuento "
            "mayor, así que sus muestras cuentan menos"
        ),
    },
    "ja": {
        "message": "{name} を {divisor} で割っていますが、加えてきた値の個数と合いません",
        "places": "一致数を全位置の数 {divisor} で割っていますが、数えるべき位置は {count} か所だけです",
        "why_places": (
            "残りの位置 (パディングなど) は、マスクによって、または損失がターゲットを無視することで除かれていますが、こ"
            "こでは不正解として、またはモデルがたまたまパディングの値を予測すれば正解として数えられます"
        ),
        "summed": "損失の和を全位置の数 {divisor} で割っていますが、数えるべき位置は {count} か所だけです",
        "why_summed": (
            "損失は残りの位置 (パディングなど) を無視し、何も足しません。平均と、それから求めるパープレキシティが小さく"
            "なりすぎます"
        ),
        "means": "{line} 行目はバッチごとの平均を合計 {count} 個足しています。別の個数で割ると、その平均になりません",
        "hits": (
            "{line} 行目は合計 {count} 回の比較で一致した数を足しています。別の個数で割ると、一致した割合になりません"
        ),
        "weighted": (
            "{line} 行目は損失にサンプル数を掛けて足しており、サンプルは合計 {count} "
            "個です。別の個数で割ると、平均になりません"
        ),
        "guesses": "一致数を top-k の予測すべての数 {divisor} で割っていますが、ラベルは {count} 個だけです",
        "why_guesses": (
            "1 サンプルの top-k の予測のうちラベルと一致し得るのは 1 つだけなので、この割合は {count} / {divisor} を超"
            "えません"
        ),
        "twice": "損失を {divisor} で 2 回割っています",
        "why_twice": (
            "{line} 行目ですでに割っています。複数のバッチで足し合わせる勾配が、本来の {divisor} 分の 1 になります"
        ),
        "again": "すでに平均である損失を、さらに個数で割っています",
        "why_again": (
            "{line} 行目の {op} は平均を取ります。もう一度割ると、個数の多いバッチほど損失が小さくなり、そのサンプルの"
            "重みが下がります"
        ),
    },
}
