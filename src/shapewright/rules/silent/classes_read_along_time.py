"""A classification loss reads its classes along time: the scores of a sequence have them on the last axis, the loss
expects them on the second.

## What it finds
`cross_entropy` of scores `(batch, time, classes)`, where the classes are what a layer made and there are as many as
steps, so that nothing raises.

## Why it hurts
The steps of a sequence take the place of the classes: class c is looked up at step c. With sequences of another length
the loss raises.

## Example
    loss = cross_entropy(scores, tags)                     # scores (batch, time, classes)

## Instead
    loss = cross_entropy(scores.transpose(1, 2), tags)     # or scores.flatten(0, 1), tags.flatten()

## Fix safety
Safe where the last axis holds the classes.
"""

from __future__ import annotations

from ..axis_use import AxisUse, Seen, declared
from ..remedy import TurnAxes

code = "SW226"


def _meant(seen: Seen) -> bool:
    """The layer's axis is not the last one, or of another size."""
    last = seen.fact.rank - 1
    return seen.axis == last or seen.counted(last) != "features" or seen.fact.shape[last] != seen.fact.shape[seen.axis]


check = declared(
    AxisUse(
        ("cross_entropy", "nll_loss"),
        "classes",
        never="steps unmade",
        but="features",
        unless=(_meant,),
        remedy=lambda *_: TurnAxes("classes"),
    )
)

MESSAGES = {
    "en": {
        "message": "{op} treats the time axis of {shape} as the class axis",
        "why": (
            "{op} reads the classes along axis 1. Here axis 1 is time ({size} steps), and the {size} classes from "
            "{maker} are on the last axis"
        ),
    },
    "es": {
        "message": "{op} trata el eje de tiempo de {shape} como el eje de clases",
        "why": (
            "{op} lee las clases a lo largo del eje 1. Aquí el eje 1 es el tiempo ({size} pasos), y las {size} clases "
            "que produce {maker} están en el último eje"
        ),
    },
    "ja": {
        "message": "{op} が {shape} の時間軸をクラスの軸として扱っています",
        "why": (
            "{op} は軸 1 をクラスとして読みます。ここでは軸 1 は {size} ステップの時間軸で、{maker} が作る {size} 個の"
            "クラスは最後の軸にあります"
        ),
    },
}
