"""The divergence of a variational auto-encoder or a gradient penalty is maximized instead of minimized.

## What it finds
`log_var - exp(log_var)` added to a loss with a plus, and the square of a gradient's norm minus a number added with a
minus. An optimizer can lower such a loss without end.

## Why it hurts
The posterior is driven away from the prior. The loss goes to minus infinity while samples turn to noise.

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
from ...graph.signs import loss_events, sign_in_loss
from ...graph.source import Source
from ...graph.training import ancestors
from ...trace import TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW293"
slug = "divergence-maximized"
aliases = ("divergence-raised",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every `exp(v)` that a loss falls with, beside `v` itself that it grows with."""
    ends, source, told = loss_events(trace), Source(trace), set()
    for event in trace.events:
        if event.op != "exp" or event.site is None or not event.args or not isinstance(event.args[0], TensorFact):
            continue
        spread = event.args[0]
        if (
            spread.producer < 0
            or spread.producer >= len(trace.events)
            or ops.is_a(trace.events[spread.producer].op, "scales", "negates")
            or sign_in_loss(trace, event, ends) >= 0
        ):
            continue
        # the logarithm itself: by the sum that it enters beside a number or the mean's square
        plain = next(
            (
                user
                for user in consumers(trace, spread.producer)
                if ops.is_a(user.op, "offsets") and any(fact.uid == spread.uid for fact in operands(user)[:1])
            ),
            None,
        )
        if plain is None:
            continue
        same = sign_in_loss(trace, plain, ends)
        site = next(
            (
                user.site
                for user in consumers(trace, event.index)
                if ops.is_a(user.op, "offsets") and user.site is not None
            ),
            event.site,
        )
        statement = source.statement_at(event.site)
        if same > 0 and (site.file, site.line) not in told and statement is not None:
            told.add((site.file, site.line))
            yield Facts(
                site,
                fields={"name": spread.name or "log_var", "line": event.site.line},
                event=event.index,
                remedy=TurnSign(assigned=isinstance(statement, (ast.Assign, ast.Return, ast.AnnAssign))),
            )
    yield from _penalties(trace)


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
        "penalty": "the loss falls as this gradient penalty grows: the penalty enters the loss with the wrong sign",
        "why_penalty": (
            "the square in the penalty can grow without bound, and the optimizer makes it grow; a penalty must be "
            "added to the loss"
        ),
        "why": (
            "{name} enters the loss with a plus sign and its exponential with a minus sign, so the loss can fall "
            "without bound; the divergence is -0.5 times this sum"
        ),
    },
    "es": {
        "message": "la pérdida baja cuando crece exp({name}): la divergencia KL tiene el signo cambiado",
        "penalty": (
            "la pérdida baja cuando crece esta penalización del gradiente: la penalización entra en la pérdida con "
            "el signo cambiado"
        ),
        "why_penalty": (
            "el cuadrado de la penalización puede crecer sin límite y el optimizador lo aumenta; una penalización "
            "debe sumarse a la pérdida"
        ),
        "why": (
            "{name} entra con signo más y su exponencial con signo menos, así que la pérdida puede bajar sin "
            "límite; la divergencia es -0.5 por esta suma"
        ),
    },
    "ja": {
        "message": "exp({name}) が増えるほど損失が下がります。KL ダイバージェンスの符号が逆です",
        "penalty": "この勾配ペナルティが増えるほど損失が下がります。符号が逆です",
        "why_penalty": "二乗は際限なく大きくなり、オプティマイザがそれを増やします。ペナルティは損失に足すものです",
        "why": (
            "{name} がプラス、その指数関数がマイナスで入っているため、損失は際限なく下がります。"
            "ダイバージェンスはこの和の -0.5 倍です"
        ),
    },
}
