"""`backward` of an `autograd.Function` is not the derivative of its `forward`.

## What it finds
A function of the script's own, derived from `torch.autograd.Function`, whose outputs change differently from what its
`backward` returns: it is called again with what it was first given, in double precision, and moved along random
directions.

## Why it hurts
Parameters before it get wrong gradients. No error is raised, and the loss may fall all the same.

## Example
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)
    def backward(ctx, grad):
        return grad

## Instead
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x > 0)

## Fix safety
A repair is offered only where the function, run again, has the right derivative. Functions with another gradient on
purpose are not reported: straight-through estimators, reversed, scaled and clipped gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Derivative, Trace
from ..facts import Facts
from ..remedy import DifferentiateForward

code = "SW360"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such function, at the end of its `backward`."""
    for told in trace.answers(Derivative):
        data = told.data
        if told.site is None:
            continue
        yield Facts(
            told.site,
            fields={
                "function": data.name,
                "index": data.at + 1,
                "shape": data.shape,
                "change": f"{data.change:.3g}",
                "told": f"{data.told:.3g}",
            },
            origins=tuple(origin for site in reversed(told.stack) for origin in place(trace, site)),
            severity="warning" if data.through else "error",
            remedy=DifferentiateForward(data.at, data.change / data.told if data.told else 0.0, data.through),
        )


MESSAGES = {
    "en": {
        "message": "the backward of {function} is not the derivative of its forward",
        "why": (
            "along a random direction in argument {index} {shape}, a weighted sum of the outputs changes by {change} "
            "per unit; the gradient that backward returns predicts {told}"
        ),
    },
    "es": {
        "message": "el backward de {function} no es la derivada de su forward",
        "why": (
            "a lo largo de una dirección aleatoria en el argumento {index} {shape}, una suma ponderada de las salidas "
            "cambia {change} por unidad; el gradiente que devuelve backward predice {told}"
        ),
    },
    "ja": {
        "message": "{function} の backward が forward の微分になっていません",
        "why": (
            "{index} 番目の引数 {shape} をランダムな方向に動かすと、出力の重み付き和の変化は単位あたり {change} ですが"
            "、backward が返す勾配から予測される変化は {told} です"
        ),
    },
}
