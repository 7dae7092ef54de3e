"""The divergence of a variational auto-encoder or a gradient penalty is maximized instead of minimized.

## What it finds
`log_var - exp(log_var)` added to a loss with a plus, `log_var + exp(log_var)`, and the square of a gradient's norm
minus a number added with a minus. An optimizer can lower such a loss without end. Likewise a reward that grows with
the log-likelihood of the policy minus that of a frozen reference, and a loss that grows with a network's
log-probabilities weighted by those of another, `(p * (log_q - log_p)).sum()`.

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
from ...graph.likelihoods import differences, likelihoods
from ...graph.signs import loss_events, positive, sign_in_loss, step_in_loss, weighed
from ...graph.source import Source
from ...graph.training import ancestors
from ...trace import TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW293"
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
            turned = TurnSign(assigned=isinstance(statement, (ast.Assign, ast.Return, ast.AnnAssign)))
            yield Facts(
                site,
                message="message" if grows < 0 else "both",
                why=why,
                fields={"name": spread.name or "log_var", "line": event.site.line},
                event=event.index,
                remedy=turned if grows < 0 < same else None,
            )
    yield from _penalties(trace)
    yield from _rewarded(trace)
    yield from _raised(trace)


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
            "with d the difference of two log-likelihoods, exp(d) - d - 1 estimates the divergence: it is smallest "
            "where both agree; here both terms have the same sign"
        ),
        "raised": "the divergence from the other network's probabilities has the wrong sign",
        "why_raised": (
            "the loss grows with the log-probabilities of line {line} where the other network is sure: what that one "
            "finds likely becomes unlikely; it should fall with them, as p * (log_p - log_q) does"
        ),
        "rewarded": "the penalty for leaving the reference model has the wrong sign: leaving it is rewarded",
        "why_rewarded": (
            "the loss falls as the log-likelihood under the policy exceeds that under the frozen reference; the reward "
            "needs this difference with a minus"
        ),
        "message": "the loss falls as exp({name}) grows: the KL divergence has the wrong sign",
        "both": (
            "the loss grows both with {name} and with exp({name}): one term of the KL divergence has the wrong sign"
        ),
        "why_both": (
            "for a log-variance {name} the divergence is 0.5 · (exp({name}) + mean² - 1 - {name}): its exponential "
            "keeps the variance low and its plain term keeps it high; here both keep it low"
        ),
        "why_falls": (
            "for a log-variance {name} the divergence is 0.5 · (exp({name}) + mean² - 1 - {name}): its exponential "
            "keeps the variance low; here both {name} and its exponential enter with a minus sign, so the loss can "
            "fall without bound"
        ),
        "penalty": "the loss falls as this gradient penalty grows: the penalty enters the loss with the wrong sign",
        "why_penalty": "the optimizer makes the square in the penalty grow; a penalty must be added to the loss",
        "why": (
            "{name} enters the loss with a plus sign and its exponential with a minus sign, so the loss can fall "
            "without bound; in a KL divergence {name} has the minus sign and its exponential the plus sign"
        ),
    },
    "es": {
        "raised": "la divergencia respecto de las probabilidades de la otra red tiene el signo equivocado",
        "why_raised": (
            "la pérdida sube con las log-probabilidades de la línea {line} donde la otra red está segura: lo que esta "
            "considera probable se vuelve improbable; debería bajar con ellas, como hace p * (log_p - log_q)"
        ),
        "why_ratio": (
            "si d es la diferencia de dos log-verosimilitudes, exp(d) - d - 1 estima la divergencia, mínima donde las "
            "dos coinciden; aquí los dos términos tienen el mismo signo"
        ),
        "rewarded": (
            "la penalización por alejarse del modelo de referencia tiene el signo cambiado: alejarse se recompensa"
        ),
        "why_rewarded": (
            "la pérdida baja cuando la log-verosimilitud de la política supera la de la referencia congelada; en la "
            "recompensa esa diferencia lleva un signo menos"
        ),
        "message": "la pérdida baja cuando crece exp({name}): la divergencia KL tiene el signo cambiado",
        "both": (
            "la pérdida crece con {name} y también con exp({name}): un término de la divergencia KL tiene el signo "
            "cambiado"
        ),
        "why_both": (
            "para una log-varianza {name} la divergencia es 0.5 · (exp({name}) + media² - 1 - {name}): la exponencial "
            "reduce la varianza y el término simple la aumenta; aquí los dos la reducen"
        ),
        "why_falls": (
            "para una log-varianza {name} la divergencia es 0.5 · (exp({name}) + media² - 1 - {name}): la exponencial "
            "reduce la varianza; aquí {name} y su exponencial entran con signo menos, así que la pérdida puede bajar "
            "sin límite"
        ),
        "penalty": (
            "la pérdida baja cuando crece esta penalización del gradiente: la penalización entra en la pérdida con el "
            "signo cambiado"
        ),
        "why_penalty": (
            "el optimizador hace crecer el cuadrado de la penalización; una penalización debe sumarse a la pérdida"
        ),
        "why": (
            "{name} entra en la pérdida con signo más y su exponencial con signo menos, así que la pérdida puede "
            "bajar sin límite; en una divergencia KL, {name} lleva el signo menos y su exponencial el signo más"
        ),
    },
    "ja": {
        "raised": "もう一方のネットワークの確率に対するダイバージェンスの符号が逆です",
        "why_raised": (
            "もう一方のネットワークが確信している所で {line} 行目の対数確率が大きいほど損失が増え、そのクラスの確率が"
            "下がります。p * (log_p - log_q) のように、損失は減るべきです"
        ),
        "why_ratio": (
            "d を 2 つの対数尤度の差とすると、exp(d) - d - 1 がダイバージェンスの推定値で、両者が一致するとき最小になり"
            "ます。ここでは両方の項の符号が同じです"
        ),
        "rewarded": "参照モデルから離れることへのペナルティの符号が逆で、離れるほど報酬が増えます",
        "why_rewarded": (
            "方策の対数尤度が固定した参照モデルの対数尤度を上回るほど損失が下がります。報酬ではこの差にマイナスを付けます"
        ),
        "message": "exp({name}) が増えるほど損失が下がります。KL ダイバージェンスの符号が逆です",
        "both": "損失が {name} とも exp({name}) とも一緒に増えます。KL ダイバージェンスの 1 つの項の符号が逆です",
        "why_both": (
            "{name} が対数分散なら、ダイバージェンスは 0.5 · (exp({name}) + 平均² - 1 - {name}) で、指数関数の項は分散"
            "を小さくし、もう一方の項は大きくします。ここでは両方が小さくします"
        ),
        "why_falls": (
            "{name} が対数分散なら、ダイバージェンスは 0.5 · (exp({name}) + 平均² - 1 - {name}) で、指数関数の項は分散"
            "を小さくします。ここでは {name} もその指数関数もマイナスの符号で損失に入るため、損失は限りなく下がります"
        ),
        "penalty": "この勾配ペナルティが増えるほど損失が下がります。符号が逆です",
        "why_penalty": "オプティマイザがペナルティの二乗を大きくします。ペナルティは損失に足すものです",
        "why": (
            "{name} がプラス、その指数関数がマイナスの符号で損失に入っているため、損失は際限なく下がります。正しい KL "
            "ダイバージェンスでは {name} がマイナス、その指数関数がプラスです"
        ),
    },
}
