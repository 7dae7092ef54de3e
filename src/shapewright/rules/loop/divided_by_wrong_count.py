"""A sum over batches is divided by a count that does not fit what was added.

## What it finds
Correct predictions, or losses times their batch size, divided by the number of batches, by the number of images where
pixels were compared, or by the number of rows of another split; correct predictions at the positions that a mask or
ignored targets leave, or the sum of their losses, divided by the number of all positions; one mean per batch
(`loss.item()` of a loss that averages) divided by the number of samples or of all the values that were averaged. A
training loss that averages already and is divided by a count of positives, or that is divided twice by the number of
batches whose gradients are added up. Matches among the k largest scores divided by the number of all k guesses, of
which only one can match.

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
from ...graph.metrics import BATCHES, Ratio, ratios
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
PLACES = frozenset({"places", "summed", "guesses"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every division of a sum by a count that is not that of what was added."""
    source = Source(trace)
    found = [*ratios(trace)]
    right = {(ratio.added, ratio.site) for ratio in found if ratio.fits}
    for ratio in found:
        elsewhere = any(added == ratio.added and site != ratio.site for added, site in right)
        if elsewhere and _kept_apart(source, ratio.site):
            continue  # a meter's own average, where the script divides the meter's sum itself
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
            remedy=_remedy(source, ratio, parts[1])
            or _counted(source, ratio, parts[1])
            or _weighed(source, ratio, parts[1]),
        )
    yield from _again(trace)


@one_per_place
def _again(trace: Trace) -> Iterator[Facts]:
    """Losses that are divided once too often."""
    samples = sample_uids(trace)
    marks = itertools.pairwise(of_kind(trace, "backward", "step"))
    added_up = any(one.kind == other.kind == "backward" for one, other in marks)
    for step, loss in losses(trace):
        found = list(terms(trace, loss, samples))
        for term in found:
            alone = sum(other.event.site == term.event.site for other in found) == 1
            numbers = [number for _, number in term.by if number is not None]
            by = next((event for event, number in term.by if number is None), None)
            twice = next((number for number in numbers if number > 1 and numbers.count(number) > 1), None)
            if any([number for _, number in other.by].count(twice) < 2 for other in found):
                twice = None  # a weight of one term divides no loss
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


def _kept_apart(source: Source, site: Site) -> bool:
    """Whether the statement at a site keeps a number in an object, to be asked for or not."""
    statement = source.statement_at(site)
    return isinstance(statement, ast.Assign) and all(isinstance(one, ast.Attribute) for one in statement.targets)


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


def _weighed(source: Source, ratio: Ratio, divisor: ast.expr | None) -> Rewrite | None:
    """Each batch's mean times what the same loop adds to the divisor for it."""
    file = ratio.added.file
    added = source.statement_on(file, ratio.added.line)
    if ratio.kind != "means" or not isinstance(divisor, ast.Name) or not isinstance(added, ast.AugAssign):
        return None
    for statement in getattr(getattr(added, "parent", None), "body", ()):
        adds = isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name)
        if adds and statement.target.id == divisor.id and isinstance(statement.value, (ast.Call, ast.Subscript)):
            return Rewrite(f"{{}} * {ast.unparse(statement.value)}", source.site(added.value, file))
    return None


MESSAGES = {
    "en": {
        "message": "{name} is divided by {divisor}, which is not the number of values that were added up",
        "places": (
            "the number of matches is divided by the number of all positions, {divisor}, although only {count} "
            "positions are to be evaluated"
        ),
        "why_places": (
            "a mask or ignored targets exclude the other positions (such as padding) from the loss; this metric counts "
            "them as wrong, or as right where the prediction happens to equal the target"
        ),
        "summed": (
            "the sum of the losses is divided by the number of all positions, {divisor}, although only {count} "
            "positions are part of the sum"
        ),
        "why_summed": (
            "the loss ignores the other positions (such as padding), so the mean loss and a perplexity computed from "
            "it are too small"
        ),
        "means": (
            "line {line} adds up {count} means, one per batch; dividing the sum by a different number does not give "
            "their average"
        ),
        "hits": (
            "line {line} counts the matches of {count} comparisons; dividing by a different number does not give the "
            "fraction of matches"
        ),
        "weighted": (
            "line {line} adds up means, each multiplied by its number of samples ({count} samples in all); dividing "
            "the sum by a different number does not give the mean per sample"
        ),
        "guesses": (
            "the number of matches is divided by the number of all top-k predictions, {divisor}, not by the number of "
            "labels, {count}"
        ),
        "why_guesses": (
            "of the top-k predictions for a sample, at most one can equal the label: this ratio can never exceed "
            "{count} / {divisor}"
        ),
        "twice": "the loss is divided by {divisor} twice",
        "why_twice": (
            "line {line} already divides the loss: the gradients accumulated over the batches are {divisor} times too "
            "small"
        ),
        "again": "a loss that is already a mean is divided once more, by a number of elements",
        "why_again": (
            "{op} on line {line} already averages; the second division makes the loss smaller in batches where the "
            "divisor is larger, so the samples of these batches have less weight"
        ),
    },
    "es": {
        "message": "{name} se divide entre {divisor}, que no es el número de valores sumados",
        "places": (
            "el número de aciertos se divide entre el número de todas las posiciones, {divisor}, aunque solo hay que "
            "evaluar {count}"
        ),
        "why_places": (
            "una máscara u objetivos ignorados excluyen de la pérdida las demás posiciones (como el relleno); esta "
            "métrica las cuenta como errores, o como aciertos donde la predicción coincide por casualidad con el "
            "objetivo"
        ),
        "summed": (
            "la suma de las pérdidas se divide entre el número de todas las posiciones, {divisor}, aunque solo {count} "
            "forman parte de la suma"
        ),
        "why_summed": (
            "la pérdida ignora las demás posiciones (como el relleno), así que la pérdida media y una perplejidad "
            "calculada con ella son demasiado pequeñas"
        ),
        "means": (
            "la línea {line} suma {count} medias, una por lote; dividir la suma entre otro número no da su promedio"
        ),
        "hits": (
            "la línea {line} cuenta los aciertos de {count} comparaciones; dividir entre otro número no da la "
            "proporción de aciertos"
        ),
        "weighted": (
            "la línea {line} suma medias, cada una multiplicada por su número de muestras ({count} muestras en total); "
            "dividir la suma entre otro número no da la media por muestra"
        ),
        "guesses": (
            "el número de aciertos se divide entre el número de todas las predicciones top-k, {divisor}, y no entre el "
            "de etiquetas, {count}"
        ),
        "why_guesses": (
            "de las predicciones top-k de una muestra, como mucho una puede ser igual a la etiqueta: este cociente "
            "nunca puede superar {count} / {divisor}"
        ),
        "twice": "la pérdida se divide dos veces entre {divisor}",
        "why_twice": (
            "la línea {line} ya divide la pérdida: los gradientes acumulados a lo largo de los lotes quedan "
            "divididos entre {divisor} una vez de más"
        ),
        "again": "una pérdida que ya es una media se divide además entre un número de elementos",
        "why_again": (
            "{op} de la línea {line} ya promedia. La segunda división reduce más la pérdida en los lotes en los que el "
            "divisor es mayor, así que las muestras de esos lotes pesan menos"
        ),
    },
    "ja": {
        "message": "{name} を {divisor} で割っていますが、足した値の個数と合いません",
        "places": "一致数を全位置の数 {divisor} で割っていますが、評価すべき位置は {count} か所だけです",
        "why_places": (
            "残りの位置 (パディングなど) は、マスクや無視されるターゲットによって損失から除かれます。この指標では、不正"
            "解として、または予測がたまたまターゲットと同じなら正解として数えられています"
        ),
        "summed": "損失の和を全位置の数 {divisor} で割っていますが、和に含まれる位置は {count} か所だけです",
        "why_summed": (
            "損失は残りの位置 (パディングなど) を無視するため、損失の平均と、そこから求めるパープレキシティが小さくな"
            "りすぎます"
        ),
        "means": "{line} 行目はバッチごとの平均を {count} 個足しています。別の数で割ると、その平均になりません",
        "hits": "{line} 行目は {count} 回の比較のうち一致した数を足しています。別の数で割ると、一致の割合になりません",
        "weighted": (
            "{line} 行目は、平均にサンプル数を掛けたものを足しています (サンプルは合計 {count} 個)。別の数で割ると、サ"
            "ンプルあたりの平均になりません"
        ),
        "guesses": "一致数を、ラベルの数 {count} ではなく、top-k の予測すべての数 {divisor} で割っています",
        "why_guesses": (
            "1 サンプルの top-k の予測のうち、ラベルと一致し得るのは多くても 1 つです。そのため、この割合は {count} / "
            "{divisor} を超えません"
        ),
        "twice": "損失を {divisor} で 2 回割っています",
        "why_twice": (
            "{line} 行目ですでに割っています。複数のバッチで累積する勾配が、本来の {divisor} 分の 1 になります"
        ),
        "again": "すでに平均である損失を、さらに要素の個数で割っています",
        "why_again": (
            "{line} 行目の {op} がすでに平均を取っています。もう一度割ると、割る数が大きいバッチほど損失が小さくな"
            "り、そのバッチのサンプルの重みが下がります"
        ),
    },
}
