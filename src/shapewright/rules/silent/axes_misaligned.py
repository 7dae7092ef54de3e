"""Two tensors share an axis, but an operation aligns it with a different axis.

## What it finds
An element-wise operation or a loss that aligns an axis of one operand with a *different* axis of the other, although
the other operand has the same axis at another position: `(batch, time)` with `(time, batch)`, or a value per sample,
`(batch,)`, with the last axis of `(batch, time)` where the two sizes happen to be equal. And attention scores `q @ k`
of two square operands, neither of which is transposed.

## Why it hurts
It fits only because two sizes are equal; the values of one sample are combined with those of another, and the script
can fail at another batch size.

## Example
    loss = (per_token * weight).mean()        # (batch, time) * (batch,), batch == time

## Instead
    loss = (per_token * weight[:, None]).mean()

## Fix safety
The transpose or new axis that lines up equal axes; verified at other batch sizes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.crossings import crossing
from ...graph.flow import (
    ELEMENTWISE,
    POINTWISE,
    TARGET_LOSSES,
    backward,
    forward,
    one_per_place,
    operands,
    produced,
    sample_uids,
    shown,
)
from ...trace import Event, TensorFact, Trace
from ..facts import Facts, Span, distinct
from ..remedy import AlignAxes

code = "SW208"
aliases = ("axes-crossed",)
CLASSIFYING = ops.named("classifies", "classifies_by_margin")  # the target numbers classes


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every operation that lines up the sample axis with another axis while the same one is at hand."""
    samples = sample_uids(trace)
    for event in (
        event
        for event in trace.events
        if event.site is not None and (event.op in ELEMENTWISE or event.op in TARGET_LOSSES - CLASSIFYING)
    ):
        pair = [fact for fact in operands(event) if fact.rank >= 1 and len(fact.axes) == fact.rank][:2]
        if len(pair) == 2:
            places = crossing(*pair, samples)
            if places is not None and not (
                _turned(trace, *pair)
                or _turned(trace, *reversed(pair))
                or _both_sides(trace, *pair)
                or _both_sides(trace, *reversed(pair))
            ):
                yield _facts(event, *pair, *places)
    yield from _unturned(trace)


def _unturned(trace: Trace) -> Iterator[Facts]:
    """Scores `q @ k` without a transpose: the product sums features of the one against the rows of the other, which are
    the rows of the first."""
    for event in (
        event
        for event in trace.events
        if event.site is not None and ops.is_a(event.op, "matmuls") and len(event.args) == 2
    ):
        a, b = event.args
        if (
            not all(isinstance(fact, TensorFact) and fact.rank >= 2 and len(fact.axes) == fact.rank for fact in (a, b))
            or a.shape != b.shape
            or a.shape[-1] < 2
            or a.uid == b.uid
        ):
            continue
        rows = a.axes[-2].uids
        if (
            rows
            and rows == b.axes[-2].uids
            and a.axes[-1].uids != rows
            and b.axes[-1].uids != rows
            and _scores(trace, event)
        ):
            yield Facts(
                event.site,
                message="unturned",
                why="why_unturned",
                fields={
                    "op": event.op,
                    "left": a.name or "input",
                    "right": b.name or "`other`",
                    "a": shown(a.shape),
                    "b": shown(b.shape),
                    "size": a.shape[-1],
                },
                spans=(Span(event.site, f"{a.name or 'a'} {shown(a.shape)} · {b.name or 'b'} {shown(b.shape)}"),),
                event=event.index,
                remedy=AlignAxes(second=True),
            )


def _scores(trace: Trace, event: Event) -> bool:
    """Whether the product becomes attention weights, and is not made of some already."""
    weights = any(made.op == "softmax" for made in backward(trace, event.args[0], POINTWISE))
    return not weights and any(
        user.op == "softmax" for user in forward(trace, event, POINTWISE | {"masked_fill"}, depth=6)
    )


def _turned(trace: Trace, a: TensorFact, b: TensorFact) -> bool:
    """Whether `b` is `a` transposed: a matrix made symmetric, as adjacencies and distances are."""
    event = produced(trace, b)
    return event is not None and ops.is_a(event.op, "turns") and any(fact.uid == a.uid for fact in operands(event)[:1])


def _both_sides(trace: Trace, table: TensorFact, vector: TensorFact) -> bool:
    """Whether a square table is scaled by one vector along its rows and then along its columns, as an adjacency is
    normalized."""
    event = produced(trace, table)
    if event is None or event.op.rstrip("_") not in ELEMENTWISE or table.rank < 2 or table.shape[-1] != table.shape[-2]:
        return False
    long = {axis.uids for axis in vector.axes if axis.size > 1}
    others = [{axis.uids for axis in fact.axes if axis.size > 1} for fact in operands(event)]
    return len(long) == 1 and long in others


def _facts(event: Event, a: TensorFact, b: TensorFact, i: int, j: int, k: int) -> Facts:
    own, met = a.axes[-i], b.axes[-k] if k == i else a.axes[-j]
    origins = tuple(axis.origin for axis in (own, met) if axis.origin and axis.origin.site)
    return Facts(
        site=event.site,
        fields={
            "op": event.op,
            "left": a.name or "input",
            "right": b.name or ("target" if event.op in TARGET_LOSSES else "`other`"),
            "a": shown(a.shape),
            "b": shown(b.shape),
            "axis": own.label,
            "met": met.label,
            "at": b.rank - j,
            "stands": a.rank - i,
        },
        origins=distinct(origins, event),
        spans=(Span(event.site, f"{a.name or 'a'} {shown(a.shape)} · {b.name or 'b'} {shown(b.shape)}"),),
        event=event.index,
        remedy=AlignAxes(),
    )


MESSAGES = {
    "en": {
        "unturned": "{op} of {left} {a} and {right} {b} pairs the features of one operand with the rows of the other",
        "why_unturned": (
            "the rows of {left} and of {right} are the same samples or steps. Attention scores are dot "
            "products over the features, so {right} must be transposed. As written, the product sums over the "
            "rows of {right}; it runs only because both axes have size {size}"
        ),
        "message": "{op} of {left} {a} and {right} {b} aligns two different axes",
        "why": (
            "axis {stands} of {left} ({axis}) corresponds to axis {at} of {right}, but is combined with a different "
            "axis ({met}); the operation runs only because the sizes are equal"
        ),
    },
    "es": {
        "unturned": (
            "{op} de {left} {a} y {right} {b} empareja las características de un operando con las filas del otro"
        ),
        "why_unturned": (
            "las filas de {left} y las de {right} son las mismas muestras o los mismos pasos. Las puntuaciones de "
            "atención son productos escalares sobre las características, así que hay que transponer {right}. Tal "
            "como está, el producto suma sobre las filas de {right}; solo se ejecuta porque ambos ejes tienen tamaño "
            "{size}"
        ),
        "message": "{op} de {left} {a} y {right} {b} alinea dos ejes distintos",
        "why": (
            "el eje {stands} de {left} ({axis}) corresponde al eje {at} de {right}, pero se combina con un eje "
            "distinto ({met}); la operación solo funciona porque los tamaños son iguales"
        ),
    },
    "ja": {
        "unturned": "{left} {a} と {right} {b} の {op} で、一方の特徴の軸がもう一方の行の軸と掛け合わされています",
        "why_unturned": (
            "{left} の行と {right} の行は同じサンプルまたは同じステップです。アテンションのスコアは特徴どうしを比べるの"
            "で、{right} を転置する必要があります。どちらのサイズも {size} なので、エラーになりません"
        ),
        "message": "{left} {a} と {right} {b} の {op} で、意味の異なる 2 つの軸が組になっています",
        "why": (
            "{left} の軸 {stands} ({axis}) は {right} の軸 {at} に対応しますが、別の軸 ({met}) と組になっています。サイ"
            "ズが等しいため、エラーになりません"
        ),
    },
}
