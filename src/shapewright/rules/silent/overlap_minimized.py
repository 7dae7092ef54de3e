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

from ... import ops
from ...graph.flow import lineage, operands, produced
from ...graph.signs import loss_events, sign_in_loss
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Complement
from ..subjects import of_calls

code = "SW296"
aliases = ("overlap-lowered",)
THROUGH = frozenset({"add", "mul", "view", "reshape", "flatten", "clamp", "squeeze", "mean"})


@of_calls("div")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every such quotient that a loss grows with."""
    ends = loss_events(trace)
    if len(operands(event)) != 2 or "reflected" in event.flags:
        return
    above, below = operands(event)
    overlap = next((made for made in _sums(trace, above) if _product(trace, made)), None)
    if overlap is None or not above.requires_grad:
        return
    product = produced(trace, operands(overlap)[0])
    factors = {fact.producer: fact for fact in operands(product)}
    sizes = set().union(*(_terms(trace, fact) for made in _sums(trace, below) for fact in operands(made)[:1]), set())
    squares = {
        fact.producer
        for made in _sums(trace, below)
        for inner in [produced(trace, operands(made)[0])]
        if inner is not None and ops.is_a(inner.op, "multiplies", "powers")
        for fact in operands(inner)
    }
    learning = [fact for fact in factors.values() if fact.requires_grad]
    if (
        len(factors) == 2
        and len(learning) == 1
        and set(factors) <= sizes | squares
        and sign_in_loss(trace, event, ends) > 0
    ):
        yield Facts(
            event.site,
            fields={"name": learning[0].name or "prediction", "line": overlap.site.line if overlap.site else "?"},
            event=event.index,
            remedy=Complement(),
        )


def _sums(trace: Trace, fact: TensorFact) -> Iterator[Event]:
    """The sums behind a tensor, past additions and constant factors."""
    through = THROUGH | {"sub"}
    found = lineage(trace, fact, lambda e: operands(e) if e.op in through else ())
    return (made for made in found if made.op == "sum")


def _terms(trace: Trace, fact: TensorFact) -> set[int]:
    """The events of the terms of a sum, as in `(p + t - p * t).sum()`."""
    made = produced(trace, fact)
    if made is not None and ops.is_a(made.op, "offsets"):
        return set().union(*(_terms(trace, part) for part in operands(made)), set())
    return {fact.producer}


def _product(trace: Trace, event: Event) -> bool:
    """Whether a sum is one of products of two tensors."""
    made = produced(trace, operands(event)[0]) if operands(event) else None
    return made is not None and made.op == "mul" and len({fact.producer for fact in operands(made)}) == 2


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
            "maximize=True, un optimizador minimiza su pérdida: usa 1 menos esa medida"
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
