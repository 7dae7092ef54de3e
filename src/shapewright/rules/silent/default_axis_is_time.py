"""A normalisation or similarity takes its default axis, and that is time instead of the features.

## What it finds
`F.normalize(x)` and `F.cosine_similarity(a, b)` without `dim` of `(batch, time, features)`: the default is axis 1, made
for `(batch, features)`.

## Why it hurts
Each feature is scaled over all the steps of a sequence; steps are not compared with steps. Nothing raises, and the
values still lie between -1 and 1.

## Example
    tokens = F.normalize(proj(embed(ids)))          # (batch, time, features)

## Instead
    tokens = F.normalize(proj(embed(ids)), dim=-1)

## Fix safety
Safe where vectors of features are meant. Where axis 1 holds channels, as after a convolution, the default is right, and
nothing is said.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.flow import one_per_place, operands, shown
from ...graph.source import Source
from ...trace import Event, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import SetDim

code = "SW269"
slug = "default-axis-is-time"
order = 16
PLACES = {"normalize": 2, "cosine_similarity": 2}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every call without `dim` of a sequence whose features stand last."""
    for event in (event for event in trace.events if event.site is not None and event.op in PLACES):
        fact = _sequence(trace, event)
        if fact is not None:
            yield Facts(
                event.site,
                fields={
                    "op": event.op,
                    "name": fact.name or "x",
                    "shape": shown(fact.shape),
                    "steps": fact.shape[1],
                    "features": fact.shape[2],
                },
                spans=(Span(event.site, f"{fact.name or 'x'} {shown(fact.shape)}, dim 1"),),
                cause=f"normalised:{event.site.file}:{event.site.line}",
                event=event.index,
                remedy=SetDim(1, 2),
            )


def _sequence(trace: Trace, event: Event) -> TensorFact | None:
    """The operand `(batch, time, features)`, its last axis made by a layer, if the call names no axis."""
    call = Source(trace).node_at(event.site, (ast.Call,))
    if (
        call is None
        or len(call.args) > PLACES[event.op]
        or any(isinstance(value, ast.Starred) for value in call.args)
        or any(given.arg in ("dim", None) for given in call.keywords)
    ):
        return None
    if (call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")) != event.op:
        return None  # a module, whose constructor names the axis
    for fact in operands(event)[:2]:
        if fact.rank == 3 and len(fact.axes) == 3 and min(fact.shape[1:]) > 1:
            middle, last = fact.axes[1:]
            made = [
                axis.role in ("feature", "channel", "vocabulary")
                or (axis.origin is not None and axis.origin.kind == "constructor")
                for axis in (middle, last)
            ]
            if last.role == "feature" and made == [False, True] and fact.requires_grad:
                return fact
    return None


MESSAGES = {
    "en": {
        "message": "{op} of {name} {shape} without dim runs over its {steps} steps, not over its {features} features",
        "why": (
            "the default is axis 1, which suits (batch, features); here the last axis is a layer's output, and "
            "axis 1 counts steps"
        ),
    },
    "es": {
        "message": "{op} de {name} {shape} sin dim recorre sus {steps} pasos, no sus {features} características",
        "why": (
            "por defecto se toma el eje 1, que sirve para (lote, características); aquí el último eje es la "
            "salida de una capa, y el eje 1 cuenta pasos"
        ),
    },
    "ja": {
        "message": (
            "{name} {shape} に対する dim なしの {op} が、{features} 個の特徴ではなく {steps} "
            "ステップに沿って計算されています"
        ),
        "why": (
            "既定は軸 1 で、(バッチ, 特徴) のためのものです。ここでは最後の軸が層の出力で、軸 1 "
            "はステップを数えています"
        ),
    },
}
