"""The divergence of a variational auto-encoder or a gradient penalty is maximized instead of minimized.

## What it finds
`log_var - exp(log_var)` added to a loss with a plus, `log_var + exp(log_var)`, and the square of a gradient's norm
minus a number added with a minus. An optimizer can lower such a loss without end.

## Why it hurts
The posterior is driven away from the prior.

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
from ...graph.flow import consumers, one_per_place, operands
from ...graph.signs import loss_events, sign_in_loss, step_in_loss
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
        if same > 0 and statement is not None:
            turned = TurnSign(assigned=isinstance(statement, (ast.Assign, ast.Return, ast.AnnAssign)))
            yield Facts(
                site,
                message="message" if grows < 0 else "both",
                why="why" if grows < 0 else "why_both",
                fields={"name": spread.name or "log_var", "line": event.site.line},
                event=event.index,
                remedy=turned if grows < 0 else None,
            )
    yield from _penalties(trace)


def _plain(trace: Trace, spread: TensorFact, ends: frozenset[int]) -> int:
    """The sign with which the logarithm itself enters the loss, by the sum or the difference that it is in."""
    for user in consumers(trace, spread.producer):
        if ops.is_a(user.op, "offsets", "adds", "subtracts", "negates"):
            sign = step_in_loss(user, spread.producer) * sign_in_loss(trace, user, ends)
            if sign:
                return sign
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
        "message": "the loss falls as exp({name}) grows: the KL divergence has the wrong sign",
        "both": (
            "the loss grows both with {name} and with exp({name}): one term of the KL divergence has the wrong sign"
        ),
        "why_both": (
            "the divergence is 0.5 · (exp({name}) + mean² - 1 - {name}): its exponential keeps the variance low and "
            "its plain term keeps it high; here both keep it low"
        ),
        "penalty": "the loss falls as this gradient penalty grows: the penalty enters the loss with the wrong sign",
        "why_penalty": "the optimizer makes the square in the penalty grow; a penalty must be added to the loss",
        "why": (
            "{name} enters the loss with a plus sign and its exponential with a minus sign, so the loss can fall "
            "without bound; the divergence is -0.5 times this sum"
        ),
    },
    "es": {
        "message": "la pérdida baja cuando crece exp({name}): la divergencia KL tiene el signo cambiado",
        "both": (
            "la pérdida crece con {name} y también con exp({name}): un término de la divergencia KL tiene el signo "
            "cambiado"
        ),
        "why_both": (
            "la divergencia es 0.5 · (exp({name}) + media² - 1 - {name}): la exponencial reduce la varianza y el "
            "término simple la aumenta; aquí los dos la reducen"
        ),
        "penalty": (
            "la pérdida baja cuando crece esta penalización del gradiente: la penalización entra en la pérdida con el "
            "signo cambiado"
        ),
        "why_penalty": (
            "el optimizador hace crecer el cuadrado de la penalización; una penalización debe sumarse a la pérdida"
        ),
        "why": (
            "{name} entra con signo más y su exponencial con signo menos, así que la pérdida puede bajar sin límite; "
            "la divergencia es -0.5 por esta suma"
        ),
    },
    "ja": {
        "message": "exp({name}) が増えるほど損失が下がります。KL ダイバージェンスの符号が逆です",
        "both": "損失が {name} とも exp({name}) とも一緒に増えます。KL ダイバージェンスの 1 つの項の符号が逆です",
        "why_both": (
            "ダイバージェンスは 0.5 · (exp({name}) + 平均² - 1 - {name}) で、指数関数の項は分散を小さくし、もう一方の"
            "項は大きくします。ここでは両方が小さくします"
        ),
        "penalty": "この勾配ペナルティが増えるほど損失が下がります。符号が逆です",
        "why_penalty": "オプティマイザがペナルティの二乗を大きくします。ペナルティは損失に足すものです",
        "why": (
            "{name} がプラス、その指数関数がマイナスで入っているため、損失は際限なく下がります。ダイバージェンスはこの"
            "和の -0.5 倍です"
        ),
    },
}
