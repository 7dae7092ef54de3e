"""A sample is compared with itself: as one of its negatives, or as its own partner.

## What it finds
`cross_entropy` of a table of the similarities of each sample with all samples of the same tensor, where each row should
choose a different column from its own, and its own column is not excluded. Also a metric that looks up the label of
the nearest of all samples for each of the same samples, so that each finds itself. Also two inputs of one model,
compared by the loss, that have the same values: both views of every sample, or both pictures of every pair with one
label. And a network and its running average that are both given several views of each sample, where the loss compares
their outputs for the same view only.

## Why it hurts
The similarity of a sample with itself is one of the negatives of every row. A cosine similarity with itself is always
1: the loss cannot lower it, and no partner has a higher score.

## Example
    z = F.normalize(torch.cat([a, b]), dim=1)
    F.cross_entropy(z @ z.t() / 0.1, partners)

## Instead
    table = (z @ z.t() / 0.1).fill_diagonal_(-torch.inf)
    F.cross_entropy(table, partners)

## Fix safety
Nothing is reported where each row should choose its own column, where two different tensors are compared, or where
anything except a plain number changes the table; nor is one input that is read twice where dropout makes the two
outputs differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ... import ops
from ...graph.copies import followers
from ...graph.flow import (
    REGRESSION_LOSSES,
    argument,
    consumers,
    forward,
    maker,
    one_per_place,
    operands,
    produced,
    result_shape,
    root,
    shown,
    tensors,
    which,
)
from ...graph.ledger import ledger
from ...graph.scaling import factor
from ...graph.training import ancestors, answers, of_kind, place
from ...graph.twins import same
from ...trace import Event, SameSample, StepFact, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import ReadSibling
from ..remedy import Rewrite
from ..subjects import of_calls

code = "SW354"
TABLES = ops.named("contracts", "similar", "distances", "measures")
SIGNED = frozenset({"neg", "sub", "mul", "div", "softmax", "exp", "sqrt", "add", "pow"})
EXTREMES = frozenset({"argmin", "argmax", "min", "max", "topk", "argsort", "sort"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every pair of which both are one sample, and every sample that competes with itself."""
    guessed = trace.data.made is not None or trace.data.invented is not None  # two may be made up alike
    for answer in trace.answers(SameSample) if not guessed else ():
        data, sites = answer.data, [one for one in (*answer.data.marks, answer.site) if one is not None]
        kind = "views" if data.label is None else "pairs"
        for site in sites[:1]:
            yield Facts(
                site,
                message=kind,
                why=f"why_{kind}",
                fields={"model": data.model, "samples": data.rows, "of": data.of, "label": f"{data.label or 0:g}"},
                origins=tuple(
                    one for other in dict.fromkeys(sites[1:]) if other != site for one in place(trace, other)
                ),
                event=answer.event,
                remedy=ReadSibling(tuple(reversed(sites)), drawn=True) if kind == "views" else None,
            )
    yield from _itself(trace)
    yield from _own_view(trace)
    yield from _nearest(trace)


def _own_view(trace: Trace) -> Iterator[Facts]:
    """The first of the losses that compare what a network and its average made of one and the same view each."""
    book, behind = ledger(trace), followers(trace)
    calls: dict[int, tuple[dict[int, TensorFact], dict[int, TensorFact]]] = {}
    tags: dict[int, frozenset[tuple[bool, int]]] = {}
    given: list[tuple[StepFact, TensorFact, bool]] = []
    for step in of_kind(trace, "forward") if behind else ():
        held, view = book.networks.get(step.data["module"], frozenset()), next(tensors(step.data["args"]), None)
        if view is not None and held & (behind | book.stepped):
            given.append((step, view, held <= behind))
    seen = {view.uid for _, view, average in given if average}
    for step, view, average in given:
        if view.uid in seen:  # what is made of an output, as by a head, is no view
            calls.setdefault(step.iteration, ({}, {}))[average][view.uid] = view
            tags |= dict.fromkeys(answers(step), frozenset({(average, view.uid)}))
    whole = {turn: one[0].keys() for turn, one in calls.items() if _views(*one)}
    pairs: list[tuple[Event, int, int]] = []
    for event in trace.events if whole else ():
        if event.index in tags:
            continue
        sides = [tags.get(fact.producer, frozenset()) for fact in event.given]
        tags[event.index] = frozenset().union(*sides)
        single = [next(iter(side)) for side in sides if len(side) == 1]
        if (
            len(single) == 2
            and single[0][0] != single[1][0]
            and {uid for _, uid in single} <= whole.get(event.iteration, set())
        ):
            pairs.append((event, single[0][1], single[1][1]))
    if any(one != other or not _compares(event) for event, one, other in pairs):
        return
    for turn, views in whole.items():
        firsts = {one: event for event, one, _ in reversed(pairs) if event.iteration == turn}
        if firsts.keys() != views:
            return
        (event, again, *_) = sorted(firsts.values(), key=lambda one: one.index)
        site = next((one for one, other in zip(event.stack, again.stack) if one != other), event.site)
        if site is not None:
            yield Facts(
                site,
                message="view",
                why="why_view",
                fields={"views": len(views)},
                origins=place(trace, again.site) if again.site != site else (),
                event=event.index,
            )
            return


def _compares(event: Event) -> bool:
    """Whether an operator makes an error or a similarity of two."""
    return event.op in REGRESSION_LOSSES or ops.is_a(event.op, "subtracts", "multiplies", "contracts", "similar")


def _views(own: dict[int, TensorFact], average: dict[int, TensorFact]) -> bool:
    """Whether two networks were given the same batches, several, of which each holds the same samples."""
    batches = {view.axes[0].uids if view.axes else () for view in own.values()}
    return len(own) > 1 and own.keys() == average.keys() and len(batches) == 1 and () not in batches


@one_per_place
def _nearest(trace: Trace) -> Iterator[Facts]:
    """Every table of distances or similarities of samples with themselves of which the nearest one gives the label that
    is then compared with the sample's own."""
    for chosen in trace.events:
        labels = _looked_up(trace, chosen) if chosen.op in EXTREMES and not chosen.modules else None
        event = maker(trace, operands(chosen)[0], _scaled) if labels is not None else None
        if event is None or event.site is None or event.op not in TABLES or event.modules:
            continue
        sides = [root(trace, one, _same_values) for one in operands(event)]
        if len(sides) != 2 or sides[0].rank != 2 or not same(trace, *sides):
            continue
        if "sort" in chosen.op and (event.op != "cdist" or argument(chosen, 2, "descending")):
            continue  # the first of an order is the nearest of distances that grow
        if any(user.op.endswith(("_", "setitem")) for user in consumers(trace, event.index)):
            continue
        near = (labels.site if labels is not None else None, *reversed(event.stack[:-1]))
        yield Facts(
            event.site,
            message="nearest",
            why="why_nearest",
            fields={"samples": sides[0].sizes[0], "op": chosen.op},
            origins=tuple(o for one in dict.fromkeys(near) if one != event.site for o in place(trace, one)),
            event=event.index,
        )


def _scaled(event: Event) -> bool:
    """Whether an operator changes each value by itself."""
    return event.op.rstrip("_") in SIGNED and len(operands(event)) == 1


def _looked_up(trace: Trace, chosen: Event) -> Event | None:
    """Where labels that an extreme of each row picks, or the first of its order, are compared with all these labels."""
    several = "sort" in chosen.op or (chosen.op == "topk" and argument(chosen, 1, "k") != 1)
    starts = [one for one in consumers(trace, chosen.index) if _first(one)] if several else [chosen]
    for picked in (user for start in starts for user in forward(trace, start, frozenset({"getitem", "squeeze"}), 3)):
        table = next(iter(operands(picked)), None) if ops.is_a(picked.op, "picks") else None
        for user in consumers(trace, picked.index) if table is not None else ():
            if user.op == "eq" and table is not None and any(same(trace, table, one) for one in operands(user)):
                return user
    return None


def _first(event: Event) -> bool:
    """Whether the first of each row is taken: `order[:, 0]`."""
    index = argument(event, 1, "index") if event.op == "getitem" else None
    return isinstance(index, tuple) and len(index) == 2 and index[1] == 0 and not isinstance(index[0], int)


@of_calls("classifies")
def _itself(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every loss that chooses among similarities of which one is that with itself."""
    scores, target = argument(event, 0, "input"), argument(event, 1, "target")
    if not isinstance(scores, TensorFact) or not isinstance(target, TensorFact) or not _partners(trace, target):
        return
    product = _table(trace, scores)
    if product is not None:
        yield Facts(
            event.site,
            fields={"shape": shown(scores.shape), "samples": scores.shape[0]},
            origins=place(trace, product.site) if product.site != event.site else (),
            remedy=Rewrite('{}.fill_diagonal_(float("-inf"))', site=product.site),
            event=event.index,
        )


def _table(trace: Trace, scores: TensorFact) -> Event | None:
    """The product of a tensor with itself that a square table of samples comes from, by plain numbers alone."""
    rows, columns = scores.axes if len(scores.axes) == 2 else (None, None)
    if rows is None or scores.shape[0] < 3 or not rows.uids or rows.uids != columns.uids or not scores.requires_grad:
        return None
    event = produced(trace, scores)
    while event is not None and not any(user.op.endswith(("_", "setitem")) for user in consumers(trace, event.index)):
        if ops.is_a(event.op, "contracts", "similar"):
            sides = operands(event)
            same = len(sides) == 2 and len({which(root(trace, side, _same_values)) for side in sides}) == 1
            return event if same and not any(side.kind == "parameter" for side in sides) else None
        if factor(event) is None and not (ops.is_a(event.op, "softmaxes") and len(operands(event)) == 1):
            return None
        event = produced(trace, operands(event)[0])
    return None


def _same_values(event: Event) -> bool:
    """Whether a tensor is but turned or laid out anew."""
    given = operands(event) if ops.is_a(event.op, "reshapes", "brackets") else []
    return len(given) == 1 and math.prod(result_shape(event) or ()) == math.prod(given[0].shape)


def _partners(trace: Trace, target: TensorFact) -> bool:
    """Whether the columns to choose were counted up and are others than the row's own."""
    event = maker(trace, target, lambda e: factor(e) == 1)
    if event is None or ops.is_a(event.op, "counts_up"):
        return False
    return any(ops.is_a(made.op, "counts_up") for made in ancestors(trace, target, 40).values())


MESSAGES = {
    "en": {
        "message": "in each row of the similarity table {shape}, the sample itself is one of the negatives",
        "why": (
            "rows and columns are the same {samples} samples, and the target of a row is never its own column. Set the "
            "diagonal, each sample's similarity with itself, to -inf before the loss"
        ),
        "nearest": "each of the {samples} samples is its own nearest neighbor: {op} chooses among the same samples",
        "why_nearest": (
            "both sides are outputs for the same inputs, so each sample finds itself and its own label: the metric is "
            "the same for any weights. Compare with other samples, or exclude the diagonal"
        ),
        "views": "{model} compares each sample with itself: its two inputs have the same values",
        "why_views": (
            "in all {samples} rows, the two inputs are equal, so the two outputs of {model} are equal for any weights. "
            "Make the two views by separate random draws"
        ),
        "view": "the loss compares the network with its running average on the same view only",
        "why_view": (
            "both networks are given {views} views of each sample, but no term compares outputs for two different "
            "views: nothing is learned about what the views have in common"
        ),
        "pairs": "in each pair labeled {label}, both inputs are the same sample",
        "why_pairs": (
            "in {samples} of {of} pairs, both inputs have the same values: exactly the pairs labeled {label}. {model} "
            "only has to detect equal inputs. Choose a different sample as the second of such a pair"
        ),
    },
    "es": {
        "message": "en cada fila de la tabla de similitudes {shape}, la propia muestra es uno de los negativos",
        "why": (
            "filas y columnas son las mismas {samples} muestras, y el objetivo de una fila nunca es su propia columna. "
            "Pon la diagonal, la similitud de cada muestra consigo misma, a -inf antes de calcular la pérdida"
        ),
        "nearest": "cada una de las {samples} muestras es su propia vecina más cercana: {op} elige entre ellas mismas",
        "why_nearest": (
            "ambos lados son salidas para las mismas entradas, así que cada muestra se encuentra a sí misma y su "
            "propia etiqueta: la métrica es la misma con cualquier peso. Hay que comparar con otras muestras o excluir "
            "la diagonal"
        ),
        "views": "{model} compara cada muestra consigo misma: sus dos entradas tienen los mismos valores",
        "why_views": (
            "en las {samples} filas, las dos entradas son iguales, así que las dos salidas de {model} son iguales sean "
            "cuales sean los pesos. Las dos vistas de cada muestra deben generarse con números aleatorios distintos"
        ),
        "view": "la pérdida solo compara la red con su media móvil en la misma vista",
        "why_view": (
            "ambas redes reciben {views} vistas de cada muestra, pero ningún término compara sus salidas para dos "
            "vistas distintas: no se aprende nada de lo que las vistas tienen en común"
        ),
        "pairs": "las dos entradas de cada par con la etiqueta {label} son la misma muestra",
        "why_pairs": (
            "en {samples} de {of} pares, ambas entradas tienen los mismos valores: justo los pares con la etiqueta "
            "{label}. A {model} le basta con detectar entradas iguales. El segundo elemento de esos pares debe ser "
            "otra muestra"
        ),
    },
    "ja": {
        "message": "類似度の表 {shape} の各行で、サンプル自身が負例に含まれています",
        "why": (
            "行と列は同じ {samples} サンプルで、どの行のターゲットも自分自身の列ではありません。損失の前に、自分自身と"
            "の類似度である対角成分を -inf にしてください"
        ),
        "nearest": "{samples} サンプルのそれぞれの最近傍が自分自身です。{op} は同じサンプルの中から選んでいます",
        "why_nearest": (
            "両側とも同じ入力に対する出力なので、各サンプルは自分自身と自分のラベルを見つけます。指標は重みが何であっても"
            "同じになります。別のサンプルと比べるか、対角成分を除いてください"
        ),
        "views": "{model} は各サンプルを自分自身と比べています。2 つの入力の値が同じです",
        "why_views": (
            "{samples} 行すべてで 2 つの入力が等しいため、重みが何であっても {model} の 2 つの出力は等しくなります。2 "
            "つのビューは別々の乱数で作ってください"
        ),
        "view": "損失は、ネットワークとその移動平均を同じビューについてしか比べていません",
        "why_view": (
            "どちらのネットワークにも各サンプルの {views} 個のビューが渡されていますが、異なるビューの出力を比べる項が"
            "ありません。ビューに共通する性質は学習されません"
        ),
        "pairs": "ラベル {label} の組では、2 つの入力がどれも同じサンプルです",
        "why_pairs": (
            "{of} 組のうち {samples} 組で 2 つの入力の値が同じで、それはラベル {label} の組と一致します。{model} は入力"
            "が等しいかどうかを見分けるだけで済みます。組の 2 つ目には別のサンプルを選んでください"
        ),
    },
}
