"""A metric does not do what its name says: better predictions do not raise it, or some mistakes cost nothing.

## What it finds
A number that is read off from predictions and called by the name of a metric (accuracy, hit rate, precision, recall,
IoU, Dice, F1 ...) is computed again with other predictions: with those that equal the truth, with wrong ones, and with
those that mark too much or too little. It is reported where wrong predictions score higher than right ones; where an
IoU, a Dice, an F1 or a precision is not lowered by marking too much; where an IoU, a Dice, an F1 or a recall is not
lowered by missing half; where right predictions score more than 1, or less than 0.9 though nothing of the evaluation
was left out; and where random outputs of the model score the
same, for example since each sample is its own nearest neighbor. Also a function of two boxes that gives the right
overlap where they overlap, and more than zero where they do not touch.

## Why it hurts
The metric praises models that predict badly, and the best of several is chosen by it.

## Example
    place = (scores < own).sum(dim=1)
    hit_rate = (place < 10).float().mean().item()

## Instead
    place = (scores > own).sum(dim=1)

## Fix safety
An edit is offered where one comparison or one argmax alone can be the wrong way round, and where the sides of the box
that two boxes share are multiplied on one line: they are clamped at zero. Nothing is reported where no
word says what the number is intended to be, unless it counts where decisions equal the truth; nor where it moves with
the scores and not only with the decisions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.captions import captions
from ...graph.flow import numbers_behind, one_per_place, operands, result_shape
from ...graph.source import Source, walk
from ...graph.training import place
from ...lexicon import says
from ...trace import BoxesApart, Event, HostFact, MetricOrder, Site, Trace
from ...trace.seen import MASKING
from ..facts import Facts
from ..remedy import CallOther, Remedy, Rewrite

code = "SW384"
COUNTING = frozenset(
    {"eq", "argmax", "argmin", "max", "min", "sum", "mean", "float", "long", "int", "getitem", "squeeze"}
)
SELECTING = COUNTING | MASKING | {"ne", "gt", "lt", "ge", "le", "all", "any", "argsort", "topk", "arange", "t"}
APART, LEAST, MOST, SHORT = 0.02, 1.05, 3.0, 0.9
TURNED = {"argmax": "argmin", "argmin": "argmax", "ne": "==", "gt": "<", "lt": ">", "ge": "<=", "le": ">="}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such number, where it was computed."""
    source = Source(trace)
    for boxes in trace.answers(BoxesApart, False):
        if boxes.site is not None:
            yield Facts(
                boxes.site,
                message="apart",
                why="why_apart",
                fields={"name": boxes.data.function, "value": f"{boxes.data.value:.3g}"},
                origins=tuple(o for one in boxes.stack[-2:] if one != boxes.site for o in place(trace, one)),
                severity="warning",
                remedy=_clamped(source, boxes.site, boxes.data.how),
            )
    for same in (answer for answer in trace.answers(MetricOrder) if answer.data.unmoved):
        name = next((one for one in captions(trace, trace.host[same.data.number]) if _rising(one)), "")
        if same.site is not None and name:
            sites = (one.site for at in reversed(same.data.events) if (one := trace.event(at)) is not None)
            yield Facts(
                same.site,
                message="unmoved",
                why="why_unmoved",
                fields={"name": name.strip(" :="), "own": f"{same.data.own:.3g}"},
                origins=tuple(
                    o for one in dict.fromkeys(sites) if one and one.line != same.site.line for o in place(trace, one)
                ),
                severity="warning",  # nothing trains on it
            )
    for answer in trace.answers(MetricOrder):
        data, site = answer.data, answer.site
        if site is None or data.unmoved:
            continue
        fact = trace.host[data.number]
        near = [one for at in data.events if (one := trace.event(at)) is not None]
        sure = _complete(trace, fact) and (data.whole or {one.op for one in near} <= SELECTING)
        # of several that are picked for a sample, not all can be right where it has fewer labels
        sure = sure and not any(ops.is_a(one.op, "orders_rows") for one in near)
        divided = fact.op == "div" and not _scaled(trace, fact)
        named = ((name, _fault(data, name, divided, sure)) for name in captions(trace, fact) if name)
        name, kind = next(((name, kind) for name, kind in named if kind is not None), ("", ""))
        if not kind and fact.op == "item" and _matches(near) and data.right + APART < data.wrong and data.upwards:
            name, kind = source.site_text(site), "turned"
        if not kind:
            continue
        lines = dict.fromkeys(one.site for one in near if one.site is not None)
        yield Facts(
            site,
            message=kind,
            why=f"why_{kind}",
            fields={
                "name": name.strip(" :="),
                "right": f"{data.right:.3g}",
                "wrong": f"{data.wrong:.3g}",
                "more": f"{data.more:.3g}",
                "fewer": f"{data.fewer:.3g}",
            },
            origins=tuple(o for one in reversed(lines) if one.line != site.line for o in place(trace, one)),
            severity="warning",  # nothing trains on it
            remedy=_turned(source, near) if kind == "turned" and not data.right else None,
        )


def _clamped(source: Source, line: Site, how: str) -> Rewrite | None:
    """The sides of a box, multiplied on a line, that are not below zero."""
    statement = source.statement_on(line.file, line.line) if how else None
    nodes = list(walk(statement)) if statement is not None else []
    products = [one for one in nodes if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mult)]
    if len(products) == 1:
        sides = [source.whole(side, line.file) for side in (products[0].left, products[0].right)]
        bare = [isinstance(side, ast.BinOp) for side in (products[0].left, products[0].right)]
        if how == "tensors":
            sides = [f"({text})" if binary else text for text, binary in zip(sides, bare)]
        code = " * ".join(f"max(0, {text})" if how == "numbers" else f"{text}.clamp(min=0)" for text in sides)
        return Rewrite(code, source.site(products[0], line.file))
    calls = [one.func for one in nodes if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)]
    calls = [func for func in calls if func.attr == "prod"]
    if products or len(calls) != 1 or how != "tensors":
        return None
    return Rewrite("{}.clamp(min=0)", source.site(calls[0].value, line.file))


def _turned(source: Source, near: list[Event]) -> Remedy | None:
    """What is the wrong way round, where right answers count for nothing and one thing alone can be: a comparison of
    two tensors, else the choice of the highest or lowest of each sample."""
    pairs = [one for one in near if ops.is_a(one.op, "compares") and len(operands(one)) == 2 and one.op != "eq"]
    chosen = pairs or [one for one in near if ops.is_a(one.op, "chooses_index")]
    sites = dict.fromkeys(one.site for one in chosen)
    other, site = TURNED.get(chosen[0].op) if chosen else None, next(iter(sites), None)
    if len(sites) != 1 or other is None or site is None:
        return None
    if not pairs:
        return CallOther(other, site) if all(result_shape(one) for one in chosen) else None
    node = source.spanned(site, ast.Compare)
    if node is None or len(node.ops) != 1:
        return None
    left, right = (source.whole(side, site.file) for side in (node.left, node.comparators[0]))
    return Rewrite(f"{left} {other} {right}", site)


def _matches(near: list[Event]) -> bool:
    """Whether a number counts where decisions equal the truth, and nothing else is done with them."""
    ops_of = {one.op for one in near}
    return "eq" in ops_of and ops_of <= COUNTING


def _rising(name: str) -> bool:
    return says(name, "rises") and not says(name, "falls")


def _complete(trace: Trace, fact: HostFact) -> bool:
    """Whether no loop that a number was added up in was cut short."""
    cut = {loop.uid for loop in trace.loops if loop.cut}
    return not any(
        one.op == "add" and one.loop in cut for one in numbers_behind(trace, fact.index, len(trace.host) + 1)
    )


def _scaled(trace: Trace, fact: HostFact) -> bool:
    """Whether a number is a multiple of a share, such as a percentage: in a loop that was cut short it can be any."""
    return any(
        one.op == "mul" and any(not own and part > MOST for part, own in zip(one.operands, one.followed))
        for one in numbers_behind(trace, fact.index, len(trace.host) + 1)
    )


def _fault(data: MetricOrder, name: str, divided: bool, sure: bool) -> str | None:
    """What is wrong with a number of this name; empty where nothing is, `None` where the name says nothing. `divided`
    tells that it is a share of something, `sure` that all of it was computed, and from labels of all classes."""
    rises, falls = says(name, "rises"), says(name, "falls")
    guesses, labels, overlap = (says(name, topic) for topic in ("share_of_guesses", "share_of_labels", "overlap"))
    if rises == falls:
        return None
    better = data.right - data.wrong if rises else data.wrong - data.right
    if better < -APART:
        return "turned" if data.upwards else ""
    if better < APART or not rises:
        return ""
    least = data.right - 1e-6
    if (guesses or overlap) and not labels and data.more >= least and data.fewer < data.right:
        return "more"
    if (labels or overlap) and not guesses and data.fewer >= least and data.more < data.right:
        return "fewer"
    share = guesses or labels or overlap or says(name, "share_of_samples")
    if divided and share and LEAST < data.right < MOST:
        return "beyond"
    return "below" if share and sure and 0 < data.right < SHORT else ""


MESSAGES = {
    "en": {
        "apart": "{name} gives boxes that do not touch an overlap of {value}",
        "why_apart": (
            "{name} was called again with boxes of known overlap. Where they are apart in both directions, both sides "
            "of the intersection are negative, and their product is positive: clamp the sides at 0 before multiplying"
        ),
        "unmoved": "{name} is {own} for any outputs of the model",
        "why_unmoved": (
            "computed again from random numbers in place of the outputs, it did not change: what is compared does not "
            "depend on the model, as where each sample is its own nearest neighbor"
        ),
        "turned": "{name} is {right} for predictions equal to the targets and {wrong} for wrong ones",
        "why_turned": (
            "the metric was computed again from the same batches with other predictions: it moves in the wrong "
            "direction, so a worse model gets the better value. A comparison or an argmax is the wrong way round"
        ),
        "more": "{name} is still {more} if half of the negatives are predicted as positive too",
        "why_more": (
            "false positives do not lower this value (predictions equal to the targets give {right}): its denominator "
            "leaves out the predicted positives, so the value is the recall"
        ),
        "fewer": "{name} is still {fewer} if half of the positives are missed",
        "why_fewer": (
            "false negatives do not lower this value (predictions equal to the targets give {right}): its denominator "
            "leaves out the positives that were missed, so the value is the precision"
        ),
        "beyond": "{name} is {right} for predictions equal to the targets, but cannot exceed 1",
        "why_beyond": (
            "the metric was computed again from the same batches with predictions equal to the targets: its numerator "
            "is larger than its denominator"
        ),
        "below": "{name} is only {right} for predictions equal to the targets",
        "why_below": (
            "the metric was computed again from the same batches with predictions equal to the targets and should be "
            "1: what is divided by, or compared, includes places where no prediction can be right, such as padding"
        ),
    },
    "es": {
        "apart": "{name} da a cajas que no se tocan un solapamiento de {value}",
        "why_apart": (
            "{name} se llamó de nuevo con cajas de solapamiento conocido. Donde están separadas en ambas direcciones, "
            "los dos lados de la intersección son negativos y su producto es positivo: limita los lados a 0 (clamp) "
            "antes de multiplicarlos"
        ),
        "unmoved": "{name} vale {own} con cualquier salida del modelo",
        "why_unmoved": (
            "calculada de nuevo con números aleatorios en lugar de las salidas, no cambia: lo que se compara no "
            "depende del modelo, como cuando cada muestra es su propio vecino más cercano"
        ),
        "turned": "{name} vale {right} con predicciones iguales a los objetivos y {wrong} con predicciones erróneas",
        "why_turned": (
            "la métrica se calculó de nuevo con los mismos lotes y otras predicciones: la métrica se mueve en sentido "
            "contrario, así que un modelo peor obtiene el mejor valor. Una comparación o un argmax está al revés"
        ),
        "more": "{name} sigue valiendo {more} aunque se prediga como positiva también la mitad de los negativos",
        "why_more": (
            "los falsos positivos no bajan esta métrica (con predicciones iguales a los objetivos vale {right}): su "
            "denominador no contiene los positivos predichos, así que es la exhaustividad (recall)"
        ),
        "fewer": "{name} sigue valiendo {fewer} aunque no se detecte la mitad de los positivos",
        "why_fewer": (
            "los falsos negativos no bajan esta métrica (con predicciones iguales a los objetivos vale {right}): su "
            "denominador no contiene los positivos no detectados, así que es la precisión"
        ),
        "beyond": "{name} vale {right} con predicciones iguales a los objetivos, pero no puede pasar de 1",
        "why_beyond": (
            "la métrica se calculó de nuevo con los mismos lotes y predicciones iguales a los objetivos: su numerador "
            "resulta mayor que su denominador"
        ),
        "below": "{name} solo vale {right} con predicciones iguales a los objetivos",
        "why_below": (
            "la métrica se calculó de nuevo con los mismos lotes y predicciones iguales a los objetivos, y debería "
            "valer 1: el divisor o la comparación incluye posiciones en las que ninguna predicción puede acertar, por "
            "ejemplo el relleno"
        ),
    },
    "ja": {
        "apart": "{name} は、離れたボックスどうしの重なりを {value} としています",
        "why_apart": (
            "重なりがわかっているボックスで {name} を呼び直しました。縦横とも離れている場合、共通部分の辺の長さが両方"
            "とも負になり、積が正になります。掛ける前に辺の長さを 0 以上に制限 (clamp) します"
        ),
        "unmoved": "{name} は、モデルの出力が何であっても {own} です",
        "why_unmoved": (
            "出力を乱数に置き換えて計算し直しても変わりません。各サンプルの最近傍が自分自身である場合のように、比較され"
            "ているものがモデルに依存していません"
        ),
        "turned": "{name} は、ターゲットと等しい予測で {right}、誤った予測で {wrong} になります",
        "why_turned": (
            "同じバッチで予測だけを変えて計算し直した結果です。指標が逆向きに動くため、悪いモデルほど良い値に"
            "なります。比較または argmax の向きが逆です"
        ),
        "more": "{name} は、負例の半分を正と予測しても {more} のままです",
        "why_more": (
            "偽陽性があっても値が下がりません (ターゲットと等しい予測では {right})。分母に正と予測した数が含まれて"
            "いないため、これは再現率 (recall) です"
        ),
        "fewer": "{name} は、正例の半分を見逃しても {fewer} のままです",
        "why_fewer": (
            "見逃しがあっても値が下がりません (ターゲットと等しい予測では {right})。分母に見逃した正例が含まれて"
            "いないため、これは適合率 (precision) です"
        ),
        "beyond": "{name} は、ターゲットと等しい予測で {right} になりますが、1 を超えるはずがありません",
        "why_beyond": (
            "同じバッチで、ターゲットと等しい予測から計算し直した結果です。分子が分母より多くを数えています"
        ),
        "below": "{name} は、ターゲットと等しい予測でも {right} にしかなりません",
        "why_below": (
            "同じバッチで、ターゲットと等しい予測から計算し直した結果で、1 になるはずです。パディングのように、どの予測"
            "も正解にならない位置が分母または比較に含まれています"
        ),
    },
}
