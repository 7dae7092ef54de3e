"""Both parts of a weighted average are one value, computed twice.

## What it finds
`w * a + (1 - w) * b`, where `a` and `b` are computed by the same operators from the same tensors and parameters
whenever the line is reached: the labels of the partner, the other view or the other network are left out.

## Why it hurts
The average is `a` whatever the weight: mixed inputs are trained on the labels of one of the two samples alone.

## Example
    mixed = w * x + (1 - w) * x[order]
    out = net(mixed)
    loss = w * criterion(out, y) + (1 - w) * criterion(out, y)

## Instead
    loss = w * criterion(out, y) + (1 - w) * criterion(out, y[order])

## Fix safety
Only the author knows what the second part should be computed from.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, plain_numbers, produced
from ...graph.shares import AT, shares
from ...graph.training import place
from ...graph.twins import twins
from ...trace import Event, TensorFact, Trace
from ..facts import Facts

code = "SW349"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such sum."""
    for event, first, second in twins(trace, ops.named("adds"), lambda one: _averaged(trace, one)):
        sites = dict.fromkeys(one.site for one in (first, second) if one.site != event.site)
        yield Facts(
            event.site,
            fields={"op": second.op},
            origins=tuple(origin for site in sites for origin in place(trace, site)),
            severity="warning",
            event=event.index,
        )


def _averaged(trace: Trace, event: Event) -> tuple[TensorFact, ...]:
    """The two values that a sum weighs with shares of one."""
    products = [produced(trace, fact) for fact in operands(event)]
    if len(products) != 2 or not all(one is not None and ops.is_a(one.op, "multiplies") for one in products):
        return ()
    one, other = (made for made in products if made is not None)
    if len(operands(one)) == len(operands(other)) == 1:
        weights = [*plain_numbers(one), *plain_numbers(other)]
        whole = len(weights) == 2 and all(0 < weight < 1 for weight in weights) and abs(sum(weights) - 1) < 1e-6
        return (operands(one)[0], operands(other)[0]) if whole else ()
    for weight, value in (operands(one), operands(one)[::-1]) if len(operands(one)) == 2 else ():
        for rest, beside in (operands(other), operands(other)[::-1]) if len(operands(other)) == 2 else ():
            told = shares(trace, weight, rest)[1] if not (weight.requires_grad or rest.requires_grad) else []
            if len(told) == len(AT) and all(abs(a + b - 1) < 1e-6 for a, b in told):
                return value, beside
    return ()


MESSAGES = {
    "en": {
        "message": "both parts of this weighted average are the same value, so the weights have no effect",
        "why": (
            "each time, {op} was computed twice from the same tensors, and the two weights add up to 1; the second "
            "part should be computed from something else, for example the labels of the other sample of a mixed pair"
        ),
    },
    "es": {
        "message": "las dos partes de esta media ponderada son el mismo valor, así que los pesos no influyen",
        "why": (
            "{op} se calculó cada vez dos veces a partir de los mismos tensores, y los dos pesos suman 1; la segunda "
            "parte debería calcularse a partir de otra cosa, por ejemplo, de las etiquetas de la otra muestra mezclada"
        ),
    },
    "ja": {
        "message": "この加重平均の 2 つの項が同じ値なので、重みは結果に影響しません",
        "why": (
            "{op} は毎回、同じテンソルから 2 回計算され、2 つの重みの和は 1 です。2 つ目の項は別のもの (たとえば、混ぜ"
            "合わせたもう一方のサンプルのラベル) から計算すべきです"
        ),
    },
}
