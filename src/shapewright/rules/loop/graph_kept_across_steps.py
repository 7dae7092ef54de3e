"""A running total keeps the graph of every iteration alive.

## What it finds
`total += loss` over training steps, where `loss` still carries its graph, so the total refers to all graphs so far.

## Why it hurts
Memory grows with every batch for as long as the total is kept.

## Example
    running += loss

## Instead
    # running += loss.item(), or loss.detach().

## Fix safety
Safe where the total is only reported. A sum that is itself differentiated before the next step is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.training import ancestors, losses
from ...trace import Event, Trace
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import AsNumber

code = "SW309"
SUMS = frozenset({"add", "add_", "cat", "stack"})


def check(trace: Trace) -> Iterator[Facts]:
    grown = {(site.file, site.line): name for site, name, *_ in trace.data.grown}
    told = set()
    for event in trace.events:
        if (
            event.op not in SUMS
            or event.site is None
            or (event.site.file, event.site.line) not in grown
            or event.site in told
        ):
            continue
        before = _before(trace, event)
        if before is None:
            continue
        told.add(event.site)
        if any(event.index in ancestors(trace, fact) for _, fact in losses(trace)):
            continue
        yield Facts(
            event.site,
            fields={
                "name": grown[event.site.file, event.site.line],
                "first": before.iteration + 1,
                "second": event.iteration + 1,
            },
            severity="warning",
            cause=(Shared.GROWING, event.site.file, event.site.line),
            event=event.index,
            remedy=AsNumber(),
        )


def _before(trace: Trace, event: Event) -> Event | None:
    """The same addition of an earlier training step, whose differentiable result this one adds to."""
    for fact in operands(event):
        if fact.requires_grad and 0 <= fact.producer < event.index:
            source = trace.events[fact.producer]
            if source.site == event.site and source.op in SUMS and source.iteration < event.iteration:
                return source
    return None


MESSAGES = {
    "en": {
        "message": "{name} keeps the graph of every iteration: the values added to it are not detached",
        "why": (
            "the total after step {second} still refers to the graph of step {first}, so memory use grows with every "
            "batch; add the value with .item() or .detach()"
        ),
    },
    "es": {
        "message": (
            "{name} conserva el grafo de cada iteración: los valores que se le suman no están separados con detach"
        ),
        "why": (
            "el total tras el paso {second} todavía hace referencia al grafo del paso {first}, así que el uso de "
            "memoria crece con cada lote; hay que sumar el valor con .item() o .detach()"
        ),
    },
    "ja": {
        "message": "{name} が毎回の計算グラフを保持し続けています。detach されていない値が加算されています",
        "why": (
            "{second} ステップ目の後の合計が {first} ステップ目の計算グラフをまだ参照しており、"
            "バッチごとにメモリ使用量が増えます。.item() か .detach() を付けた値を加算してください"
        ),
    },
}
