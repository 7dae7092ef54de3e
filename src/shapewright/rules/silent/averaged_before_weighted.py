"""A mean over the samples is multiplied by one weight per sample.

## What it finds
A loss or a log-probability that was already averaged or summed over the samples, multiplied by a tensor of one value
per sample (weights, advantages, a mask) and averaged again.

## Why it hurts
The product of two means is not the mean of the products: no sample is multiplied by its own weight, the weights only
scale the step.

## Example
    (criterion(pred, y) * weight).mean()       # the criterion has averaged already
    -(log_prob.mean() * advantage).mean()

## Instead
    (nn.functional.mse_loss(pred, y, reduction="none") * weight).mean()
    -(log_prob * advantage).mean()

## Fix safety
Safe where the weights belong to the samples that were averaged.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import (
    REDUCING,
    TARGET_LOSSES,
    grouped,
    maker,
    one_per_place,
    operands,
    reduced_to_scalar,
    result_shape,
    shown,
)
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Unreduce

code = "SW210"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every product of an averaged value and one weight a sample."""
    products = grouped((event.site, event) for event in trace.events if event.op == "mul" and event.site is not None)
    for event, *others in products.values():
        found = [_averaged(trace, other) for other in (event, *others)]
        if all(found) and reduced_to_scalar(trace, event) is not None:
            source, count, weight = found[0]
            yield Facts(
                event.site,
                fields={
                    "op": source.op,
                    "count": count,
                    "weight": weight.name or "weight",
                    "shape": shown(weight.shape),
                },
                origins=place(trace, source.site, "operator"),
                event=event.index,
                remedy=Unreduce(source.index),
            )


def _averaged(trace: Trace, event: Event) -> tuple[Event, int, TensorFact] | None:
    """The event that averaged, the number of samples, and the weights, where a product has the one and the other."""
    pair = operands(event)
    if len(pair) != 2:
        return None
    for scalar, weight in (pair, pair[::-1]):
        if (
            scalar.shape != ()
            or not scalar.requires_grad
            or weight.requires_grad
            or weight.rank not in (1, 2)
            or weight.shape[0] < 4
        ):
            continue
        source = maker(trace, scalar, lambda e: e.op == "neg")
        if (
            source is None
            or (source.op not in REDUCING and source.op not in TARGET_LOSSES)
            or result_shape(source) != ()
        ):
            continue
        first = next(iter(operands(source)), None)
        if (
            first is not None
            and first.rank >= 1
            and first.requires_grad
            and first.shape[0] == weight.shape[0]
            and all(size == 1 for size in weight.shape[1:])
        ):
            return source, weight.shape[0], weight
    return None


MESSAGES = {
    "en": {
        "message": (
            "{op} reduces the {count} samples before they are weighted by {weight} {shape}, one value per sample"
        ),
        "why": "no sample gets its own weight: {weight} only scales the whole loss",
    },
    "es": {
        "message": "{op} reduce las {count} muestras antes de ponderarlas con {weight} {shape}, un valor por muestra",
        "why": "ninguna muestra recibe su propio peso: {weight} solo escala toda la pérdida",
    },
    "ja": {
        "message": (
            "{count} 個のサンプルは、サンプルごとの値 {weight} {shape} と掛け合わされる前に {op} で 1 "
            "つにまとめられています"
        ),
        "why": "どのサンプルにも自分の重みが掛からず、{weight} は損失全体の大きさを変えるだけです",
    },
}
