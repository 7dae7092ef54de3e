"""The backward pass is after the loop over batches: only the last batch is learned from.

## What it finds
A loop that computes a loss from a model in every iteration and uses it only for reporting, followed by one `backward`
of the loss that the last iteration left behind.

## Why it hurts
All batches but one are computed in vain; an epoch is a single step.

## Example
    for x, y in loader:
        loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

## Instead
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

## Fix safety
Safe where each batch is to be a step. Losses that are added up or kept in a list before `backward` are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import TARGET_LOSSES, tensors
from ...graph.ledger import ledger
from ...graph.training import loop_of, losses, of_kind, place
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import MoveIntoLoop

code = "SW320"


def check(trace: Trace) -> Iterator[Facts]:
    """Every `backward` that comes after a loop of losses and uses the last of them."""
    within = {step.loop for step in of_kind(trace, "backward")}
    for step, fact in losses(trace):
        made = trace.events[fact.producer] if fact.producer >= 0 else None
        if (
            made is None
            or made.op not in TARGET_LOSSES
            or made.site is None
            or made.loop == step.loop
            or made.loop in within
        ):
            continue
        loop = loop_of(trace, made.loop)
        if loop is None or loop.parent != step.loop or loop.iterations < 2:
            continue
        twins = [
            event
            for event in trace.events
            if event.loop == made.loop and event.site == made.site and event.op == made.op
        ]
        graded = [event for event in twins if any(part.requires_grad for part in tensors(event.result))]
        if (
            len(graded) >= 2
            and twins[-1] is made
            and not any(event.index in ledger(trace).learned for event in twins[:-1])
        ):
            yield Facts(
                step.site,
                fields={"line": loop.site.line, "loss": made.site.line},
                origins=(*place(trace, made.site), *place(trace, loop.site)),
                remedy=MoveIntoLoop(loop.site.line),
            )


MESSAGES = {
    "en": {
        "message": "backward is called after the loop over the batches, so the model learns only from the last batch",
        "why": (
            "the loop on line {line} computes a loss in every iteration (line {loss}), but backward runs only for the "
            "last loss"
        ),
    },
    "es": {
        "message": (
            "backward se llama después del bucle sobre los lotes, así que el modelo solo aprende del último lote"
        ),
        "why": (
            "el bucle de la línea {line} calcula una pérdida en cada iteración (línea {loss}), pero backward solo se "
            "ejecuta con la última"
        ),
    },
    "ja": {
        "message": "backward がバッチのループの後にあるため、最後のバッチしか学習に使われません",
        "why": (
            "{line} 行目のループは毎回損失 ({loss} 行目) を計算しますが、backward が実行されるのは最後の損失だけです"
        ),
    },
}
