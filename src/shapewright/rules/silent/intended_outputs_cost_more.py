"""A loss is larger for the intended outputs than for other outputs.

## What it finds
A training loss that is computed again with other outputs in place of the model's: a contrastive loss that is larger
when both views of each sample have equal outputs than when all outputs are random; a quantile loss that is larger for
the targets' quantiles at its levels q than for those at 1 - q; a loss that is larger for outputs that agree with the
targets than for outputs that agree with the targets of other samples; one that falls without limit as right logits
grow, or falls as wrong ones grow; one that raises the scores of all pairs, also of those drawn at random. Also a
cross-entropy whose scores are the distances between outputs of one network, without a minus: the farthest class is
the most likely; and an error of a network's outputs that has a minus sign in the loss, while no other loss lowers
that network's errors.

## Why it hurts
The loss falls, and the model learns something else: views of one sample can be pushed apart, the 0.1 quantile becomes
the 0.9 quantile, a wrong class becomes likely. Nothing raises.

## Example
    z = torch.stack([a, b], dim=1).flatten(0, 1)          # a0, b0, a1, b1, ...
    partners = (torch.arange(2 * n) + n) % (2 * n)        # those of a0, a1, ..., b0, b1, ...

## Instead
    z = torch.cat([a, b])

## Fix safety
Two views are taken as views of one sample where the inputs share a sample axis, or where each input is by far the
nearest to one other. Nothing is reported where labels or weights of the samples enter the loss as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import compared, squares
from ...graph.flow import (
    POINTWISE,
    RESHAPING,
    TARGET_LOSSES,
    argument,
    consumers,
    lineage,
    one_per_place,
    operands,
    tensors,
)
from ...graph.ledger import ledger
from ...graph.scores import pulled_alike
from ...graph.signs import distance_behind, lowered, sign_in_loss
from ...graph.training import ancestors, answers, descendants, of_kind, place
from ...trace import Event, IdealAnswers, ProbeFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import SwapSides, TurnSign

code = "SW359"
MOST = 8


def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss, at the call in which outputs and targets meet."""
    played = list(trace.answers(IdealAnswers))
    yield from _played(trace, played)
    if all(told.site is None for told in played):
        yield from _raised(trace)
    yield from _farthest(trace)
    yield from _pulled(trace)


@one_per_place
def _raised(trace: Trace) -> Iterator[Facts]:
    """Every error of a network's outputs that a sum of losses falls with, where no loss lowers that network's errors,
    as an adversary's would be."""
    errors, book = list(_errors(trace)), ledger(trace)
    terms = []
    for step, loss in lowered(trace) if errors else ():
        made, taught = ancestors(trace, loss), book.taught(step)
        for event, network, own in errors:
            if event.index in made and own & taught:
                terms.append((event, network, own & taught, sign_in_loss(trace, event, frozenset({loss.producer}))))
    lowers = frozenset().union(*(own for _, _, own, sign in terms if sign > 0))
    for event, network, own, sign in terms:
        if sign < 0 and not own & lowers and event.site is not None:
            yield Facts(
                event.site,
                message="raised",
                of_any_rank=True,
                why="why_raised",
                fields={"op": event.op, "model": trace.modules[network].kind},
                event=event.index,
                remedy=TurnSign(),
            )


@one_per_place
def _pulled(trace: Trace) -> Iterator[Facts]:
    """Every last score of a loss that raises all of them."""
    for first, last in pulled_alike(trace):
        if last.site is not None:
            lines = [one.site for one in descendants(trace, list(tensors(last.result)), 6).values()]
            near = dict.fromkeys((*lines, first.site))
            yield Facts(
                last.site,
                message="pulled",
                of_any_rank=True,
                why="why_pulled",
                fields={"line": first.site.line if first.site is not None else 0, "op": last.op},
                origins=tuple(origin for site in near if site != last.site for origin in place(trace, site))[:4],
                event=last.index,
            )


@one_per_place
def _farthest(trace: Trace) -> Iterator[Facts]:
    """Every distance between outputs of one network that is the score of a class as it is; a learned table may be what
    the classes are to be far from."""
    for event in trace.events:
        scores, target = (argument(event, at, name) for at, name in ((0, "input"), (1, "target")))
        if not ops.is_a(event.op, "classifies") or not isinstance(scores, TensorFact) or scores.rank != 2:
            continue
        if not isinstance(target, TensorFact) or not target.is_whole or not scores.requires_grad or scores.sizes[1] < 3:
            continue
        top, pair = distance_behind(trace, scores)
        networks = [{one.modules[0] for one in ancestors(trace, fact).values() if one.modules} for fact in pair]
        if top is not None and top.site is not None and len(networks) == 2 and networks[0] & networks[1]:
            yield Facts(
                top.site,
                message="farthest",
                why="why_farthest",
                fields={"op": event.op, "line": event.site.line if event.site else 0},
                origins=place(trace, event.site),
                event=top.index,
                remedy=TurnSign(),
            )


def _errors(trace: Trace) -> Iterator[tuple[Event, int, frozenset[int]]]:
    """`(event, network, its parameters)` of every loss and every squared difference of outputs and targets, where no
    gradient flows to the targets."""
    given = {index: step.data["module"] for step in of_kind(trace, "forward") for index in answers(step)}
    book = ledger(trace)

    def of(event: Event, output: object, target: object) -> Iterator[tuple[Event, int, frozenset[int]]]:
        fixed = not (isinstance(target, TensorFact) and target.requires_grad)
        made = lineage(trace, output, lambda one: operands(one) if one.op in POINTWISE | RESHAPING else (), 12)
        network = next((given[one.index] for one in made if one.index in given), None) if fixed else None
        if network is not None and book.networks.get(network):
            yield event, network, book.networks[network]

    for event in trace.events:
        if ops.is_a(event.op, "classifies", "binary"):
            yield from of(event, argument(event, 0, "input"), argument(event, 1, "target"))
    for event, value, target in compared(trace):
        whole = event.op in TARGET_LOSSES
        for one in (event,) if whole else (user for user in consumers(trace, event.index) if squares(user)):
            yield from of(one, value, target)


def _played(trace: Trace, played: list[ProbeFact[IdealAnswers]]) -> Iterator[Facts]:
    """Losses that were computed again with other outputs."""
    for told in played:
        data = told.data
        if told.site is None:
            continue
        near = (trace.events[at] for at in data.events if 0 <= at < len(trace.events))
        near = list(near)
        lines = dict.fromkeys(site for event in near for site in reversed(event.stack[-2:]))
        apart = [one.site for one in near if one.op == "sub" and one.site and _one_learns(one)]
        yield Facts(
            told.site,
            message=data.kind,
            why=f"why_{data.kind}",
            fields={
                "model": data.model,
                "samples": data.samples,
                "ideal": f"{data.ideal:.3g}",
                "other": f"{data.other:.3g}",
            },
            origins=tuple(origin for site in list(lines)[:MOST] if site != told.site for origin in place(trace, site)),
            remedy=SwapSides("difference", tuple(dict.fromkeys(apart))) if data.kind == "quantiles" else None,
        )


def _one_learns(event: Event) -> bool:
    """Whether one side of a difference has a gradient."""
    return len({fact.requires_grad for fact in operands(event)[:2]}) == 2


MESSAGES = {
    "en": {
        "raised": "the loss falls as this error of the outputs of {model} grows",
        "why_raised": (
            "{op} measures how far the outputs are from their targets, but has a minus sign in the loss, and no other "
            "loss lowers the errors of {model}: the optimizer makes them larger"
        ),
        "farthest": "the distance is the score of a class: the class farthest away becomes the most likely",
        "why_farthest": (
            "{op} (line {line}) raises the score of the right class, so outputs of the same class are moved apart; "
            "use the negative distance as the score"
        ),
        "pulled": "this loss raises the scores of all pairs: none of them is lowered",
        "why_pulled": (
            "the loss falls as the products of line {line} grow, and also as those of this {op} grow. Nothing lowers "
            "any of them, so all vectors can end up equal. The scores of pairs that do not belong together need a "
            "minus sign"
        ),
        "views": (
            "this loss is larger when the two views of each sample have equal outputs than when the outputs are random"
        ),
        "why_views": (
            "for {samples} samples, the loss is {ideal} on average if {model} gives both views of each sample equal "
            "outputs, and {other} if the outputs are random: minimizing it can push the views of one sample apart"
        ),
        "quantiles": "with this loss, {model} learns the quantile at level 1 - q instead of the one at level q",
        "why_quantiles": (
            "if the outputs are the targets' quantiles at the levels q, the loss is {ideal}; if they are the quantiles "
            "at 1 - q, it is only {other}. The difference between output and target has the wrong sign for these levels"
        ),
        "unbounded": "this loss falls without limit as the right outputs of {model} grow",
        "why_unbounded": (
            "when the logits of the {samples} targets are 10, the loss is {ideal}; when they are 40, it is {other}. It "
            "keeps falling in proportion to the logits: a term has the wrong sign, and training diverges"
        ),
        "surer": "this loss falls as {model} gets more certain of wrong outputs",
        "why_surer": (
            "when the outputs are wrong with logits of 0.5, the loss is {ideal}; with logits of 8, it is only {other}: "
            "the samples that are most wrong get almost no gradient. The weight of the loss decreases where it should "
            "increase"
        ),
        "targets": "this loss is larger when the outputs of {model} agree with their targets than when they do not",
        "why_targets": (
            "if the outputs agree with the {samples} targets, the loss is {ideal}; if they agree with the targets of "
            "other samples, it is {other}"
        ),
    },
    "es": {
        "raised": "la pérdida baja cuando crece este error de las salidas de {model}",
        "why_raised": (
            "{op} mide cuánto se apartan las salidas de sus objetivos, pero lleva signo menos en la pérdida, y ninguna "
            "otra pérdida reduce los errores de {model}: el optimizador los aumenta"
        ),
        "farthest": "la distancia sirve de puntuación de una clase: la clase más lejana pasa a ser la más probable",
        "why_farthest": (
            "{op} (línea {line}) aumenta la puntuación de la clase correcta, así que las salidas de una misma clase se "
            "alejan entre sí; usa la distancia negativa como puntuación"
        ),
        "pulled": "esta pérdida aumenta las puntuaciones de todos los pares: ninguna se reduce",
        "why_pulled": (
            "la pérdida baja cuando crecen los productos de la línea {line}, y también cuando crecen los de este {op}. "
            "Nada reduce ninguno de ellos, así que todos los vectores pueden acabar siendo iguales. Las puntuaciones "
            "de los pares que no van juntos necesitan un signo menos"
        ),
        "views": (
            "esta pérdida es mayor cuando las dos vistas de cada muestra tienen salidas iguales que cuando las salidas "
            "son aleatorias"
        ),
        "why_views": (
            "con {samples} muestras, la pérdida es {ideal} en promedio si {model} da salidas iguales a las dos vistas "
            "de cada muestra, y {other} si las salidas son aleatorias: minimizarla puede separar las vistas de una "
            "misma muestra"
        ),
        "quantiles": "con esta pérdida, {model} aprende el cuantil de nivel 1 - q en lugar del de nivel q",
        "why_quantiles": (
            "si las salidas son los cuantiles de los objetivos en los niveles q, la pérdida es {ideal}; si son los "
            "cuantiles en 1 - q, es solo {other}. La diferencia entre salida y objetivo tiene el signo equivocado para "
            "estos niveles"
        ),
        "unbounded": "esta pérdida baja sin límite cuando crecen las salidas correctas de {model}",
        "why_unbounded": (
            "cuando los logits de los {samples} objetivos valen 10, la pérdida es {ideal}; cuando valen 40, es "
            "{other}. Sigue bajando en proporción a los logits: un término tiene el signo equivocado y el "
            "entrenamiento diverge"
        ),
        "surer": "esta pérdida baja cuanto más seguro está {model} de salidas erróneas",
        "why_surer": (
            "cuando las salidas son erróneas con logits de 0.5, la pérdida es {ideal}; con logits de 8 es solo "
            "{other}: las muestras con mayor error casi no reciben gradiente. El peso de la pérdida disminuye donde "
            "debería aumentar"
        ),
        "targets": (
            "esta pérdida es mayor cuando las salidas de {model} coinciden con sus objetivos que cuando no coinciden"
        ),
        "why_targets": (
            "si las salidas coinciden con los {samples} objetivos, la pérdida es {ideal}; si coinciden con los "
            "objetivos de otras muestras, es {other}"
        ),
    },
    "ja": {
        "raised": "{model} の出力の誤差が大きくなるほど、損失が下がります",
        "why_raised": (
            "{op} は出力とターゲットのずれを測りますが、損失ではマイナスが付いています。{model} の誤差を下げる損失はほ"
            "かになく、オプティマイザは誤差を大きくします"
        ),
        "farthest": "距離がそのままクラスのスコアになっているため、最も遠いクラスの確率が最も高くなります",
        "why_farthest": (
            "{op} ({line} 行目) は正しいクラスのスコアを上げるため、同じクラスの出力どうしが離れていきます。距離に"
            "マイナスを付けてスコアにしてください"
        ),
        "pulled": "この損失はすべての組のスコアを上げ、下げられるスコアがありません",
        "why_pulled": (
            "{line} 行目の積が大きくなっても、この {op} の積が大きくなっても損失が下がります。どのスコアも下げられない"
            "ため、すべてのベクトルが等しくなりえます。対応しない組のスコアにはマイナスが必要です"
        ),
        "views": "この損失は、各サンプルの 2 つのビューの出力が等しいときのほうが、出力が乱数のときより大きくなります",
        "why_views": (
            "{samples} サンプルで、2 つのビューに対する {model} の出力が等しいとき損失は平均 {ideal}、出力が乱数のとき"
            "は {other} です。最小化すると、同じサンプルのビューどうしが引き離されることがあります"
        ),
        "quantiles": "この損失では、{model} は水準 q ではなく水準 1 - q の分位点を学習します",
        "why_quantiles": (
            "出力がターゲットの水準 q の分位点なら損失は {ideal} ですが、水準 1 - q の分位点なら {other} に下がります。"
            "この水準に対して、出力とターゲットの差の符号が逆です"
        ),
        "unbounded": "{model} の正しい出力が大きくなるほど、この損失は際限なく下がります",
        "why_unbounded": (
            "{samples} 個のターゲットに対するロジットが 10 のとき損失は {ideal}、40 のとき {other} で、ロジットに比例し"
            "て下がり続けます。符号が逆の項があり、学習は発散します"
        ),
        "surer": "{model} が誤った出力に確信を持つほど、この損失が下がります",
        "why_surer": (
            "誤った出力のロジットが 0.5 のとき損失は {ideal} ですが、8 のときは {other} しかありません。最も誤っている"
            "サンプルの勾配がほとんどなくなります。損失の重みが、増えるべきところで減っています"
        ),
        "targets": "この損失は、{model} の出力がターゲットと一致するときのほうが、一致しないときより大きくなります",
        "why_targets": (
            "出力が {samples} 個のターゲットと一致すると損失は {ideal}、ほかのサンプルのターゲットと一致すると {other} "
            "です"
        ),
    },
}
