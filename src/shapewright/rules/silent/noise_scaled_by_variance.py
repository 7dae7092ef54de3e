"""The noise of a variational model is scaled by the variance instead of the standard deviation.

## What it finds
`mu + randn * exp(v)` where the divergence of the same model takes `exp(v)` for the variance: `v` is a log-variance, so
the noise needs `exp(0.5 * v)`.

## Why it hurts
The samples have a different standard deviation from the one in the divergence, so reconstruction and divergence train
two different distributions.

## Example
    std = torch.exp(log_var)
    z = mu + std * torch.randn_like(std)

## Instead
    std = torch.exp(0.5 * log_var)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import backward, consumers, one_per_place, operands
from ...graph.signs import loss_events, sign_in_loss
from ...graph.training import PASSING, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW294"
NOISE = frozenset({"randn_like", "randn", "normal", "normal_"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every `exp(v)` that scales noise while another one is the variance in the divergence."""
    ends = loss_events(trace)
    made = [
        event
        for event in trace.events
        if event.op == "exp" and event.args and isinstance(event.args[0], TensorFact) and event.args[0].requires_grad
    ]
    for event in made:
        spread = event.args[0]
        if event.site is None or not _scales(trace, event):
            continue
        variance = next(
            (
                other
                for other in made
                if other.args[0].uid == spread.uid
                and sign_in_loss(trace, other, ends)
                and _beside(trace, other, spread, ends)
            ),
            None,
        )
        if variance is not None:
            yield Facts(
                event.site,
                fields={"name": spread.name or "log_var", "line": variance.site.line if variance.site else "?"},
                origins=place(trace, variance.site),
                event=event.index,
                remedy=Rewrite("0.5 * {}", argument=(0, "input")),
            )


def _scales(trace: Trace, event: Event) -> bool:
    """Whether a result is multiplied by noise."""
    for user in consumers(trace, event.index):
        beside = (made for fact in operands(user) for made in backward(trace, fact, PASSING, 4))
        if user.op == "mul" and any(made.op in NOISE for made in beside):
            return True
    return False


def _beside(trace: Trace, variance: Event, spread: TensorFact, ends: frozenset[int]) -> bool:
    """Whether the logarithm itself enters the same loss with the other sign."""
    plain = [
        user
        for user in consumers(trace, spread.producer)
        if ops.is_a(user.op, "offsets") and any(fact.uid == spread.uid for fact in operands(user))
    ]
    return any(sign_in_loss(trace, user, ends) for user in plain)


MESSAGES = {
    "en": {
        "message": "the noise is scaled by exp({name}), which is the variance here, not the standard deviation",
        "why": (
            "the divergence on line {line} uses exp({name}) as the variance; the standard deviation is exp(0.5 * "
            "{name})"
        ),
    },
    "es": {
        "message": "el ruido se escala con exp({name}), que aquí es la varianza y no la desviación típica",
        "why": (
            "la divergencia de la línea {line} toma exp({name}) como varianza; la desviación típica es exp(0.5 * "
            "{name})"
        ),
    },
    "ja": {
        "message": "ノイズに exp({name}) を掛けていますが、これは標準偏差ではなく分散です",
        "why": (
            "{line} 行目のダイバージェンスは exp({name}) を分散として扱っています。標準偏差は exp(0.5 * {name}) です"
        ),
    },
}
