"""A classification loss reads its classes along time: the scores of a sequence have them on the last axis, the loss
wants them on the second.

## What it finds
`cross_entropy` of scores `(batch, time, classes)`, where the classes are what a layer made and there are as many as
steps, so that nothing raises.

## Why it hurts
The steps of a sequence compete with one another, and the class of step t is looked up at place t of another axis. As
soon as a sequence has another
length, the loss raises.

## Example
    loss = cross_entropy(scores, tags)                     # scores (batch, time, classes)

## Instead
    loss = cross_entropy(scores.transpose(1, 2), tags)     # or scores.flatten(0, 1), tags.flatten()

## Fix safety
Safe where the last axis holds the classes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import argument, one_per_place, produced, shown
from ...graph.training import place
from ...trace import TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnAxes

code = "SW226"
slug = "classes-read-along-time"
order = 20
MADE = frozenset({"feature", "vocabulary", "channel"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss."""
    for event in (
        event for event in trace.events if event.site is not None and event.op in ("cross_entropy", "nll_loss")
    ):
        scores, target = argument(event, 0, "input"), argument(event, 1, "target")
        if (
            not isinstance(scores, TensorFact)
            or not isinstance(target, TensorFact)
            or scores.rank < 3
            or target.rank != scores.rank - 1
        ):
            continue
        if len(scores.axes) != scores.rank or scores.shape[1] != scores.shape[-1]:
            continue
        second, last = scores.axes[1], scores.axes[-1]
        layer = last.origin is not None and last.origin.kind == "constructor" and last.role in MADE
        if (
            not layer
            or second.role in MADE
            or second.origin is None
            or second.origin.kind in ("constructor", "parameter")
            or not second.uids
        ):
            continue
        made = produced(trace, scores)
        yield Facts(
            event.site,
            fields={"op": event.op, "shape": shown(scores.shape), "size": scores.shape[1], "layer": last.origin.note},
            origins=(
                *((last.origin,) if last.origin.site is not None else ()),
                *(place(trace, made.site) if made is not None and made.site != event.site else ()),
            ),
            cause=f"classes:{event.site.file}:{event.site.line}",
            event=event.index,
            remedy=TurnAxes("classes"),
        )


MESSAGES = {
    "en": {
        "message": "{op} reads the classes of {shape} along the time axis",
        "why": (
            "its class axis is axis 1, which is time here, {size} steps; the {size} classes that {layer} "
            "produces are on the last axis, so the steps compete instead of the classes"
        ),
    },
    "es": {
        "message": "{op} lee las clases de {shape} a lo largo del eje de tiempo",
        "why": (
            "su eje de clases es el 1, que aquí es el tiempo, {size} pasos; las {size} clases que produce "
            "{layer} están en el último eje, así que compiten los pasos y no las clases"
        ),
    },
    "ja": {
        "message": "{op} が {shape} のクラスを時間軸に沿って読んでいます",
        "why": (
            "クラスの軸は軸 1 ですが、ここでは {size} ステップの時間軸です。{layer} が作る {size} "
            "個のクラスは最後の軸にあり、クラスではなくステップ同士が競合しています"
        ),
    },
}
