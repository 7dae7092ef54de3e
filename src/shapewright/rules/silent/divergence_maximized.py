"""A KL divergence or a gradient penalty is maximized instead of minimized.

## What it finds
`log_var - exp(log_var)` or `log_var + exp(log_var)` added to a loss, and a gradient penalty, the square of a gradient
norm minus a number, that is subtracted from a loss. An optimizer can lower such a loss without bound. Likewise a reward
that grows with the policy's log-likelihood minus that of a frozen reference, and a loss that grows with a network's
log-probabilities weighted by the probabilities of another network, `(p * (log_q - log_p)).sum()`.

## Why it hurts
Training drives apart what the term should keep close, such as the posterior and the prior.

## Example
    kl = 0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    loss = reconstruction + kl

## Instead
    kl = -0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, lineage, maker, one_per_place, operands
from ...graph.likelihoods import KEPT, PICKS, differences, likelihoods
from ...graph.signs import loss_events, positive, sign_in_loss, step_in_loss, turned_at, weighed
from ...graph.source import Source
from ...graph.training import ancestors
from ...trace import TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW293"
of_any_rank = True
aliases = ("divergence-raised",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every `exp(v)` that a loss falls with, or also grows with, beside `v` itself that it grows with."""
    ends, source = loss_events(trace), Source(trace)
    for event in trace.events:
        if event.op != "exp" or event.site is None or not event.args or not isinstance(event.args[0], TensorFact):
            continue
        spread = event.args[0]
        if (
            spread.producer < 0
            or spread.producer >= len(trace.events)
            or ops.is_a(trace.events[spread.producer].op, "scales", "negates")
            or _of_a_class(trace, spread)
        ):
            continue
        grows = sign_in_loss(trace, event, ends)
        same = _plain(trace, spread, ends) if grows else 0
        site = next(
            (
                user.site
                for user in consumers(trace, event.index)
                if ops.is_a(user.op, "offsets") and user.site is not None
            ),
            event.site,
        )
        statement = source.statement_at(event.site)
        ratio = ops.is_a(trace.events[spread.producer].op, "subtracts")
        if (same > 0 or (same < 0 and grows < 0 and not ratio)) and statement is not None:
            why = "why_falls" if same < 0 else "why" if grows < 0 else "why_ratio" if ratio else "why_both"
            taken_off = turned_at(trace, event) if grows < 0 else None
            turned = TurnSign(
                term=taken_off.site if taken_off is not None else None,
                assigned=taken_off is None and isinstance(statement, (ast.Assign, ast.Return, ast.AnnAssign)),
            )
            yield Facts(
                taken_off.site if taken_off is not None else site,
                message="message" if grows < 0 else "both",
                why=why,
                fields={"name": spread.name or "log_var", "line": event.site.line},
                event=event.index,
                remedy=turned if grows < 0 < same else None,
            )
    yield from _penalties(trace)
    yield from _rewarded(trace)
    yield from _raised(trace)


def _of_a_class(trace: Trace, fact: TensorFact) -> bool:
    """Whether a number is the logarithm of a class's probability: its exponential is that probability."""
    made = maker(trace, fact, lambda one: one.op in PICKS or ops.is_a(one.op, *KEPT), 8)
    return made is not None and made.op == "log_softmax"


@one_per_place
def _raised(trace: Trace) -> Iterator[Facts]:
    """Every product of another network's probabilities with log-probabilities that a loss grows with."""
    ends, step = loss_events(trace), weighed(trace)
    for event in trace.events:
        sides = operands(event) if ops.is_a(event.op, "multiplies") and event.site is not None else []
        own = [fact for fact in sides if fact.requires_grad]
        if len(sides) != 2 or len(own) != 1 or not _probabilities(trace, next(f for f in sides if f is not own[0])):
            continue
        made = lineage(trace, own[0], lambda one: operands(one) if ops.is_a(one.op, "subtracts") else (), 4)
        logs = next((one for one in made if one.op == "log_softmax" and operands(one)[0].requires_grad), None)
        if logs is not None and sign_in_loss(trace, logs, ends, step=step) > 0:
            yield Facts(
                event.site,
                message="raised",
                why="why_raised",
                fields={"line": logs.site.line if logs.site is not None else "?"},
                event=event.index,
                remedy=TurnSign(),
            )


def _probabilities(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is a softmax, or the exponential of its logarithm."""
    made = maker(trace, fact, lambda one: ops.is_a(one.op, "exponentials", "cuts", "keeps_values"), 4)
    return made is not None and ops.is_a(made.op, "softmaxes") and positive(trace, fact)


@one_per_place
def _rewarded(trace: Trace) -> Iterator[Facts]:
    """Every difference of the policy's log-likelihoods from a frozen reference's that is rewarded: a loss falls as it
    grows."""
    trained = {one.network for one in likelihoods(trace).values() if one.learns}
    step = weighed(trace)
    for event, first, second in differences(trace):
        own, other = (first, second) if first.network in trained else (second, first)
        if own.learns or own.network not in trained or other.network in trained:
            continue
        side = 1 if own is first else -1
        if event.site is not None and side * sign_in_loss(trace, event, loss_events(trace), step=step) < 0:
            yield Facts(event.site, message="rewarded", why="why_rewarded", event=event.index, remedy=TurnSign())


def _plain(trace: Trace, spread: TensorFact, ends: frozenset[int]) -> int:
    """The sign with which the logarithm itself enters the loss, by the sum or the difference that it is in; a
    difference may be taken again, the other way round."""
    made = trace.events[spread.producer]
    pair = [fact.uid for fact in operands(made)] if ops.is_a(made.op, "subtracts") else []
    for other in consumers(trace, operands(made)[0].producer) if len(pair) == 2 else (made,):
        sides = [fact.uid for fact in operands(other)]
        if other is not made and not (ops.is_a(other.op, "subtracts") and sides in (pair, pair[::-1])):
            continue
        for user in consumers(trace, other.index):
            if ops.is_a(user.op, "offsets", "adds", "subtracts", "negates"):
                sign = step_in_loss(user, other.index) * sign_in_loss(trace, user, ends)
                if sign:
                    return sign if sides == pair or other is made else -sign
    return 0


@one_per_place
def _penalties(trace: Trace) -> Iterator[Facts]:
    """Every square of what the norm of a gradient is off by that a loss falls with."""
    ends = loss_events(trace)
    for event in trace.events:
        if event.site is None or not ops.is_a(event.op, "powers") or not operands(event):
            continue
        before = list(ancestors(trace, operands(event)[0], 10).values())
        off = before and ops.is_a(before[0].op, "subtracts") and len(operands(before[0])) == 1
        if off and any(ops.is_a(made.op, "differentiates") for made in before):
            if sign_in_loss(trace, event, ends) < 0:
                yield Facts(event.site, message="penalty", why="why_penalty", event=event.index)


MESSAGES = {
    "en": {
        "why_ratio": (
            "the KL divergence is estimated by exp(d) - d - 1, where d is the difference of two log-likelihoods; the "
            "estimate is smallest where both agree. Here exp(d) and d have the same sign"
        ),
        "raised": "the divergence from the other network's probabilities has the wrong sign",
        "why_raised": (
            "minimizing this loss lowers the log-probabilities of line {line} for the classes that the other network "
            "considers likely. In a divergence p * (log_p - log_q), these log-probabilities (log_q) have a minus sign"
        ),
        "rewarded": "the penalty for moving away from the reference model has the wrong sign: moving away is rewarded",
        "why_rewarded": (
            "the loss falls as the policy's log-likelihood rises above that of the frozen reference; in the reward, "
            "this difference needs a minus sign"
        ),
        "message": "the loss falls as exp({name}) grows: the KL divergence has the wrong sign",
        "both": (
            "the loss grows both with {name} and with exp({name}): one term of the KL divergence has the wrong sign"
        ),
        "why_both": (
            "for a log-variance {name}, the divergence is 0.5 · (exp({name}) + mean² - 1 - {name}): the term "
            "exp({name}) lowers the variance and the term -{name} raises it. Here both terms lower it"
        ),
        "why_falls": (
            "for a log-variance {name}, the divergence is 0.5 · (exp({name}) + mean² - 1 - {name}): the term "
            "exp({name}) keeps the variance low. Here both {name} and exp({name}) have a minus sign, so the loss can "
            "fall without bound"
        ),
        "penalty": "the gradient penalty enters the loss with the wrong sign: the loss falls as the penalty grows",
        "why_penalty": (
            "the optimizer therefore makes the penalty larger, not smaller; add the penalty to the loss that is "
            "minimized"
        ),
        "why": (
            "{name} has a plus sign in the loss and exp({name}) a minus sign, so the loss can fall without bound; in a "
            "KL divergence {name} has the minus sign and exp({name}) the plus sign"
        ),
    },
    "es": {
        "raised": "la divergencia respecto de las probabilidades de la otra red tiene el signo equivocado",
        "why_raised": (
            "minimizar esta pérdida reduce las log-probabilidades que la línea {line} da a las clases que la otra red "
            "considera probables. En una divergencia p * (log_p - log_q), estas log-probabilidades (log_q) llevan un "
            "signo menos"
        ),
        "why_ratio": (
            "la divergencia KL se estima con exp(d) - d - 1, donde d es la diferencia de dos log-verosimilitudes; la "
            "estimación es mínima donde ambas coinciden. Aquí exp(d) y d tienen el mismo signo"
        ),
        "rewarded": (
            "la penalización por alejarse del modelo de referencia tiene el signo cambiado: alejarse se recompensa"
        ),
        "why_rewarded": (
            "cuanto más supera la log-verosimilitud de la política a la de la referencia congelada, menor es la "
            "pérdida; en la recompensa, esa diferencia necesita un signo menos"
        ),
        "message": "la pérdida baja cuando crece exp({name}): la divergencia KL tiene el signo cambiado",
        "both": (
            "la pérdida crece con {name} y también con exp({name}): un término de la divergencia KL tiene el signo "
            "cambiado"
        ),
        "why_both": (
            "para una log-varianza {name}, la divergencia es 0.5 · (exp({name}) + media² - 1 - {name}): el término "
            "exp({name}) reduce la varianza y el término -{name} la aumenta. Aquí los dos la reducen"
        ),
        "why_falls": (
            "para una log-varianza {name}, la divergencia es 0.5 · (exp({name}) + media² - 1 - {name}): el término "
            "exp({name}) mantiene baja la varianza. Aquí tanto {name} como exp({name}) llevan signo menos, así que la "
            "pérdida puede bajar sin límite"
        ),
        "penalty": (
            "la penalización del gradiente entra en la pérdida con el signo cambiado: la pérdida baja cuando la "
            "penalización crece"
        ),
        "why_penalty": (
            "por eso el optimizador aumenta la penalización en lugar de reducirla; súmala a la pérdida que se minimiza"
        ),
        "why": (
            "en la pérdida, {name} lleva signo más y exp({name}) signo menos, así que la pérdida puede bajar sin "
            "límite; en una divergencia KL, {name} lleva el signo menos y exp({name}) el signo más"
        ),
    },
    "ja": {
        "raised": "もう一方のネットワークの確率に対するダイバージェンスの符号が逆です",
        "why_raised": (
            "この損失を最小化すると、もう一方のネットワークの確率が高いクラスほど {line} 行目の対数確率が下がります。ダ"
            "イバージェンス p * (log_p - log_q) では、この対数確率 (log_q) にマイナスが付きます"
        ),
        "why_ratio": (
            "KL ダイバージェンスは、2 つの対数尤度の差 d から exp(d) - d - 1 で推定され、両者が一致するとき最小になりま"
            "す。ここでは exp(d) と d の符号が同じです"
        ),
        "rewarded": "参照モデルから離れることへのペナルティの符号が逆で、離れるほど報酬が増えます",
        "why_rewarded": (
            "方策の対数尤度が、凍結した参照モデルの対数尤度を上回るほど損失が下がります。報酬の中では、この差にマイナス"
            "が必要です"
        ),
        "message": "exp({name}) が増えるほど損失が下がります。KL ダイバージェンスの符号が逆です",
        "both": "{name} が増えても exp({name}) が増えても損失が増えます。KL ダイバージェンスの一方の項の符号が逆です",
        "why_both": (
            "{name} が対数分散なら、ダイバージェンスは 0.5 · (exp({name}) + 平均² - 1 - {name}) で、exp({name}) の項は"
            "分散を小さくし、-{name} の項は大きくします。ここでは両方の項が小さくします"
        ),
        "why_falls": (
            "{name} が対数分散なら、ダイバージェンスは 0.5 · (exp({name}) + 平均² - 1 - {name}) で、exp({name}) の項は"
            "分散を小さく保ちます。ここでは {name} と exp({name}) の両方にマイナスが付いているため、損失は際限なく下が"
            "ります"
        ),
        "penalty": "勾配ペナルティの符号が逆で、ペナルティが増えるほど損失が下がります",
        "why_penalty": (
            "このためオプティマイザはペナルティを小さくせず、大きくします。最小化する損失にペナルティを足してください"
        ),
        "why": (
            "損失の中で {name} がプラス、exp({name}) がマイナスなので、損失は際限なく下がります。正しい KL ダイバージェ"
            "ンスでは {name} がマイナス、exp({name}) がプラスです"
        ),
    },
}
