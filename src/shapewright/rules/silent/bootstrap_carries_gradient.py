"""The bootstrap target of a value loss is not detached: gradients flow through it into the network being trained.

## What it finds
`reward + gamma * Q(next)`, used as the target of a regression loss, with gradients, from the same parameters as the
prediction. Also a target that is the prediction itself, with its gradients, plus something that does not learn.

## Why it hurts
The loss then pulls the target towards the prediction too, instead of only the prediction towards the target. Where the
target contains the prediction, the gradients of the two cancel out and nothing is learned.

## Example
    target = r + 0.99 * q(s2).max(1).values

## Instead
    with torch.no_grad():
        target = r + 0.99 * q(s2).max(1).values

## Fix safety
Safe for temporal-difference learning. Residual-gradient methods, which do this on purpose, are rare; hence a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.bootstrap import bootstraps
from ...graph.cancelled import within_target
from ...graph.flow import one_per_place, tensors
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import ancestors, of_kind, place
from ...trace import Trace
from ..facts import Facts
from ..remedy import Detach

code = "SW216"
of_any_rank = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every value loss whose target learns as well."""
    book = ledger(trace)
    for found in bootstraps(trace):
        if found.target.requires_grad and book.learners(found.value) & book.learners(found.ahead):
            event, made = found.loss, found.made
            behind = {found.ahead.producer, *ancestors(trace, found.ahead)}
            forward = (step for step in of_kind(trace, "forward") if step.site is not None)
            asked = [
                step.site
                for step in forward
                if any(fact.producer in behind and fact.requires_grad for fact in tensors(step.data.get("result")))
            ]
            yield Facts(
                made.site or event.site,
                fields={
                    "loss": event.op if event.op != "sub" else Source(trace).site_text(event.site),
                    "target": found.target.name or "target",
                    "line": event.site.line,
                },
                origins=(*place(trace, event.site), *(one for site in asked[-1:] for one in place(trace, site))),
                severity="warning",
                cause=(code, event.site),
                event=event.index,
                remedy=Detach("target", found.target.name or "target"),
            )
    for event, made, value in within_target(trace):
        yield Facts(
            made.site or event.site,
            message="within",
            why="why_within",
            fields={"name": value.name or "value", "line": event.site.line},
            origins=place(trace, event.site),
            event=made.index,
            remedy=Detach(name=value.name),
        )


MESSAGES = {
    "en": {
        "message": (
            "the bootstrap target of {loss} is not detached: gradients flow through it into the network being trained"
        ),
        "why": (
            "{target} is a reward plus a discounted value, and that value is computed with parameters that the loss "
            "trains. Minimizing the loss of line {line} therefore also moves the target towards the prediction"
        ),
        "within": "{name} is added to its own target without detach(), so its gradients in the loss cancel out",
        "why_within": (
            "line {line} compares {name} with a target that is computed from {name} itself: the gradient of the "
            "difference with respect to {name} is 0, so the loss does not train {name}"
        ),
    },
    "es": {
        "message": (
            "el objetivo de bootstrap de {loss} no está separado con detach(): a través de él llegan gradientes a la "
            "red que se entrena"
        ),
        "why": (
            "{target} es una recompensa más un valor descontado, y ese valor se calcula con parámetros que la "
            "pérdida entrena. Por eso, al minimizar la pérdida de la línea {line}, también el objetivo se acerca a "
            "la predicción"
        ),
        "within": "{name} se suma a su propio objetivo sin detach(), así que sus gradientes en la pérdida se anulan",
        "why_within": (
            "la línea {line} compara {name} con un objetivo calculado a partir de {name}: el gradiente de la "
            "diferencia respecto a {name} es 0, así que la pérdida no entrena {name}"
        ),
    },
    "ja": {
        "message": "{loss} のブートストラップのターゲットが detach されておらず、学習中のネットワークに勾配が流れます",
        "why": (
            "{target} は報酬と割引価値の和で、その価値はこの損失が学習させるパラメータで計算されています。そのため "
            "{line} 行目の損失は、ターゲットのほうも予測に近づけます"
        ),
        "within": "{name} が detach されずに自分自身のターゲットに足されており、損失での勾配が打ち消し合います",
        "why_within": (
            "{line} 行目では {name} を、{name} 自身から計算されたターゲットと比べています。差の {name} についての勾配"
            "は 0 なので、この損失は {name} を学習させません"
        ),
    },
}
