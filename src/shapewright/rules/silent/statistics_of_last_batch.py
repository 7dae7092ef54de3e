"""The running statistics of a batch normalization are nearly those of the last batch.

## What it finds
A batch normalization layer that learns with a `momentum` of 0.9 or more, though less than 1: each batch replaces so
much of the running mean and variance.

## Why it hurts
In PyTorch `momentum` is the weight of the new batch; in Keras and TensorFlow it is the weight of the old average. With
0.99 the statistics in evaluation mode are nearly those of the last batch, and change with it.

## Example
    nn.BatchNorm2d(64, momentum=0.99)

## Instead
    nn.BatchNorm2d(64, momentum=0.01)

## Fix safety
Unsafe: another value could be meant. A momentum of 1 is a choice, and is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import one_per_place
from ...trace import Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW388"
MOST = 0.9


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """The first such layer made at each place."""
    layers = (event.modules for event in trace.events if "grad" in event.flags and ops.is_a(event.op, "tracks"))
    for modules in dict.fromkeys(layers):
        fact = trace.modules.get(modules[-1]) if modules else None
        momentum = fact.config.get("momentum") if fact is not None else None
        if fact is None or fact.site is None or not isinstance(momentum, float):
            continue
        if not MOST <= momentum < 1 or not fact.config.get("track_running_stats"):
            continue
        yield Facts(
            fact.site,
            fields={"layer": fact.kind, "momentum": f"{momentum:g}"},
            severity="warning",
            remedy=SetArgument("momentum", f"{1 - momentum:.4g}", 2, module=fact.uid, guessed=True),
        )


MESSAGES = {
    "en": {
        "message": "with momentum={momentum}, the running statistics of {layer} are nearly those of the last batch",
        "why": (
            "in PyTorch, momentum is the weight of the new batch: running_mean becomes (1 - {momentum}) * running_mean "
            "+ {momentum} * batch mean. In Keras and TensorFlow, momentum is the weight of the old average"
        ),
    },
    "es": {
        "message": "con momentum={momentum}, las estadísticas móviles de {layer} son casi las del último lote",
        "why": (
            "en PyTorch, momentum es el peso del lote nuevo: running_mean pasa a ser (1 - {momentum}) * running_mean + "
            "{momentum} * media del lote. En Keras y TensorFlow, momentum es el peso de la media anterior"
        ),
    },
    "ja": {
        "message": "momentum={momentum} では、{layer} の移動統計がほぼ最後のバッチの統計になります",
        "why": (
            "PyTorch の momentum は新しいバッチの重みで、running_mean は (1 - {momentum}) * running_mean + {momentum} "
            "* バッチの平均になります。Keras や TensorFlow の momentum は、以前の平均の重みです"
        ),
    },
}
