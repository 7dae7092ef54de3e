"""Both parts of a weighted average are one value, computed twice or given twice.

## What it finds
`w * a + (1 - w) * b`, where `a` and `b` are computed by the same operators from the same tensors and parameters
whenever the line is reached, or are one tensor: the labels of the partner, the other view or the other network are left
out, or the points between real and generated samples are all real.

## Why it hurts
The average is `a` whatever the weight: mixed inputs are trained on the labels of one of the two samples alone.

## Example
    mixed = w * x + (1 - w) * x[order]
    out = net(mixed)
    loss = w * criterion(out, y) + (1 - w) * criterion(out, y)

## Instead
    loss = w * criterion(out, y) + (1 - w) * criterion(out, y[order])

## Fix safety
Where the inputs were mixed with those of another sample by the same weights, the labels are picked by the same index;
else only the author knows what the second part should be computed from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, operands, plain_numbers, produced, root
from ...graph.shares import AT, shares
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...graph.twins import twins
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW349"
BEHIND = 200


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
            remedy=_partners(trace, event, first, second),
        )

    for event in _given_twice(trace):
        yield Facts(event.site, message="given", why="why_given", severity="warning", event=event.index)


def _given_twice(trace: Trace) -> Iterator[Event]:
    """Every such sum of a tensor with itself, each time that it is reached: an average that begins with its first value
    is one once."""
    found: dict[Site, list[Event | None]] = {}
    for event in trace.events:
        sides = _averaged(trace, event) if ops.is_a(event.op, "adds") and event.site is not None else ()
        if sides and event.site is not None and not any(side.kind == "parameter" for side in sides):
            first, second = (root(trace, side, lambda made: ops.is_a(made.op, "keeps_values")).uid for side in sides)
            found.setdefault(event.site, []).append(event if first == second else None)
    for events in found.values():
        if len(events) > 1 and all(events) and events[0] is not None:
            yield events[0]


def _partners(trace: Trace, event: Event, first: Event, second: Event) -> Rewrite | None:
    """The labels of the other sample for one of two losses, where the inputs were mixed with those of another sample by
    the same weights: the index that picked these inputs picks their labels."""
    weights = [_weight(trace, fact) for fact in operands(event)]
    for _, mixed in sorted(ancestors(trace, operands(first)[0], BEHIND).items(), reverse=True):
        pair = operands(mixed) if ops.is_a(mixed.op, "adds") and len(operands(mixed)) == 2 else []
        sides = _averaged(trace, mixed) if pair else ()
        picked = [produced(trace, side) for side in sides]
        for at, made in enumerate(picked):
            own = made is not None and ops.is_a(made.op, "brackets") and operands(made)[0].uid == sides[1 - at].uid
            index = made.args[1] if own and len(made.args) == 2 else None
            apart = _weight(trace, pair[1 - at])  # by which the samples themselves are weighed
            if not isinstance(index, TensorFact) or apart is None or weights.count(apart) != 1:
                continue
            other = produced(trace, operands(event)[1 - weights.index(apart)])
            loss = next(
                (one for one in (first, second) if other and one.index in {f.producer for f in operands(other)}), None
            )
            target = argument(loss, 1, "target") if loss is not None else None
            node = Source(trace).spanned(made.site, ast.Subscript)
            same = loss is not None and made.site.function == loss.site.function and made.site.file == loss.site.file
            if same and isinstance(target, TensorFact) and target.sizes[:1] == index.sizes[:1] and node is not None:
                if isinstance(node.slice, ast.Name):
                    return Rewrite(f"{{}}[{node.slice.id}]", loss.site, (1, "target"))
    return None


def _weight(trace: Trace, fact: TensorFact) -> object:
    """By what a product weighs a value: the number, or which tensor."""
    made = produced(trace, fact)
    numbers = plain_numbers(made) if made is not None else []
    given = operands(made) if made is not None else []
    if len(given) == 1 and len(numbers) == 1:
        return round(numbers[0], 9)
    return next((one.uid for one in given if one.rank == 0 and not one.requires_grad), None)


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
        "given": "both parts of this weighted average are the same tensor, so the weights have no effect",
        "why_given": (
            "the two weights add up to 1 and multiply one tensor, so the result is that tensor; the second part should "
            "be another tensor, for example the generated samples or the other sample of a mixed pair"
        ),
    },
    "es": {
        "message": "las dos partes de esta media ponderada son el mismo valor, así que los pesos no influyen",
        "why": (
            "{op} se calculó cada vez dos veces a partir de los mismos tensores, y los dos pesos suman 1; la segunda "
            "parte debería calcularse a partir de otra cosa, por ejemplo, de las etiquetas de la otra muestra mezclada"
        ),
        "given": "las dos partes de esta media ponderada son el mismo tensor, así que los pesos no influyen",
        "why_given": (
            "los dos pesos suman 1 y multiplican un solo tensor, así que el resultado es ese tensor; la segunda parte "
            "debería ser otro tensor, por ejemplo, las muestras generadas o la otra muestra mezclada"
        ),
    },
    "ja": {
        "message": "この加重平均の 2 つの項が同じ値なので、重みは結果に影響しません",
        "why": (
            "{op} は毎回、同じテンソルから 2 回計算され、2 つの重みの和は 1 です。2 つ目の項は別のもの (たとえば、混ぜ"
            "合わせたもう一方のサンプルのラベル) から計算すべきです"
        ),
        "given": "この加重平均の 2 つの項が同じテンソルなので、重みは結果に影響しません",
        "why_given": (
            "2 つの重みの和は 1 で、どちらも同じテンソルに掛けられているため、結果はそのテンソルになります。2 つ目の項"
            "は別のテンソル (たとえば、生成されたサンプルや混ぜ合わせるもう一方のサンプル) にすべきです"
        ),
    },
}
