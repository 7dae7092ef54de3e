"""An overlap score is used as the loss itself: the optimizer lowers the overlap with the target.

## What it finds
A Dice, Jaccard or F score, `2 * sum(p * t) / (sum(p) + sum(t))`, that the loss grows with: the `1 -` is missing.

## Why it hurts
The model learns to miss the target. The loss falls, which looks like success.

## Example
    return (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1)

## Instead
    return 1 - (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.overlaps import overlap
from ...graph.signs import loss_events, sign_in_loss
from ...trace import Event, Trace
from ..facts import Facts
from ..remedy import Complement
from ..subjects import of_calls

code = "SW296"
of_any_rank = True
aliases = ("overlap-lowered",)


@of_calls("div")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every such quotient that a loss grows with."""
    found = overlap(trace, event)
    if found is not None and sign_in_loss(trace, event, loss_events(trace)) > 0:
        site, learning = found[0].site, found[1]
        yield Facts(
            event.site,
            fields={"name": learning.name or "prediction", "line": site.line if site else "?"},
            event=event.index,
            remedy=Complement(),
        )


MESSAGES = {
    "en": {
        "message": "the loss grows with the overlap of {name} and the target, so training makes the overlap smaller",
        "why": (
            "the overlap score computed from the product on line {line} should be high. Without maximize=True, an "
            "optimizer minimizes its loss, so use 1 minus the score"
        ),
    },
    "es": {
        "message": "la pérdida crece con el solapamiento de {name} y el objetivo, así que el entrenamiento lo reduce",
        "why": (
            "la medida de solapamiento que se calcula con el producto de la línea {line} debe ser alta. Sin "
            "maximize=True, un optimizador minimiza su pérdida, así que la pérdida debe ser 1 menos esa medida"
        ),
    },
    "ja": {
        "message": "{name} とターゲットの重なりが増えると損失が増えるため、学習が進むほど重なりが小さくなります",
        "why": (
            "{line} 行目の積から計算される重なりの指標は、大きくしたい値です。maximize=True でないオプティマイザは損失"
            "を最小化するので、1 からこの値を引いて損失にします"
        ),
    },
}
