"""A loss gives rare classes a smaller weight than frequent ones: the weights grow with the class counts.

## What it finds
Class weights of `cross_entropy` or `nll_loss`, or the `pos_weight` of a binary loss, that grow with the class counts as
a power of them: the counts themselves, the shares, or positives divided by negatives instead of negatives divided by
positives.

## Why it hurts
Class weights usually make up for rare classes. The inverse ratio makes them count even less, and the model can learn to
ignore them.

## Example
    weight = counts / counts.sum()

## Instead
    weight = counts.sum() / counts

## Fix safety
Only the author knows whether rare classes should count less: no edit is proposed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.flow import argument
from ...graph.training import made_at, place
from ...trace import ClassWeights, Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import SwapSides

code = "SW370"
FEWEST, APART = 40, 1.5  # targets in all; times that one class is more frequent than another
SURE = 4  # deviations of a difference of counts
LEAST, FITS = 0.35, 0.95  # of the power; correlation of the logarithms
PLACES = {"binary_cross_entropy_with_logits": (6, "pos_weight")}


def check(trace: Trace) -> Iterator[Facts]:
    """Every loss whose weights grow with how often a class is asked for."""
    for told in trace.data.weighted:
        pair = _ends(told)
        event = trace.event(told.event)
        if pair is None or event is None or event.site is None:
            continue
        often, rare = pair
        made = _making(trace, event, argument(event, *PLACES.get(event.op, (2, "weight"))))
        yield Facts(
            event.site,
            fields={
                "rare": rare,
                "often": often,
                "few": told.counts[rare],
                "many": told.counts[often],
                "less": f"{told.weights[rare]:.3g}",
                "more": f"{told.weights[often]:.3g}",
            },
            origins=tuple(origin for site in made for origin in place(trace, site)),
            severity="warning",
            event=event.index,
            remedy=SwapSides("quotient", tuple(made)),
        )


def _ends(told: ClassWeights) -> tuple[int, int] | None:
    """The most and the least frequent class, where the weights are a power of the counts that grows."""
    known = [i for i, (weight, count) in enumerate(zip(told.weights, told.counts)) if weight > 0 and count > 0]
    if len(known) < 2 or sum(told.counts) < FEWEST:
        return None
    often, rare = (end(known, key=lambda i: told.counts[i]) for end in (max, min))
    many, few = told.counts[often], told.counts[rare]
    if many < APART * few or many - few < SURE * math.sqrt(many + few):
        return None  # of few targets any class may be the rarer one by chance
    x, y = ([math.log(numbers[i]) for i in known] for numbers in (told.counts, told.weights))
    x, y = ([value - sum(part) / len(part) for value in part] for part in (x, y))
    across, along, up = (sum(a * b for a, b in zip(one, two)) for one, two in ((x, y), (x, x), (y, y)))
    return (often, rare) if up and across / along >= LEAST and across >= FITS * math.sqrt(along * up) else None


def _making(trace: Trace, event: Event, weights: object) -> list[Site]:
    """Where the weights were computed, and what was read there."""
    if not isinstance(weights, TensorFact):
        return []
    made = [origin.site for origin in made_at(trace, weights, event.site) if origin.site is not None]
    return list(dict.fromkeys([*made, *(site for one in made[:2] for site in behind(trace, one, 2))]))


MESSAGES = {
    "en": {
        "message": "class {rare} is rarer than class {often}, but has a smaller weight: {less} against {more}",
        "why": (
            "of the targets seen, {few} are of class {rare} and {many} of class {often}. To compensate for the "
            "imbalance, the rarer class must have the larger weight"
        ),
    },
    "es": {
        "message": "la clase {rare} es más rara que la clase {often}, pero tiene menos peso: {less} frente a {more}",
        "why": (
            "de los objetivos vistos, {few} son de la clase {rare} y {many} de la clase {often}. Para compensar el "
            "desequilibrio, la clase más rara debe tener más peso"
        ),
    },
    "ja": {
        "message": "クラス {rare} はクラス {often} より少ないのに、重みが小さくなっています ({less} と {more})",
        "why": (
            "実際のターゲットでは、クラス {rare} が {few} 個、クラス {often} が {many} 個でした。不均衡を補うには、少な"
            "いクラスの重みを大きくします"
        ),
    },
}
