"""Two tensors of copies are paired, one made by `repeat`, the other by `repeat_interleave`.

## What it finds
An element-wise operation or a loss between an axis that repeats the whole batch (`repeat`: a b c a b c) and one
that repeats each sample (`repeat_interleave`, or a flattened `(samples, copies)`: a a b b c c).

## Why it hurts
The sizes agree, so nothing raises; but most predictions are compared with another sample's target.

## Example
    inputs = x.repeat_interleave(4, dim=0)
    targets = y.repeat(4)

## Instead
    targets = y.repeat_interleave(4)

## Fix safety
Changing the order of one of the two is the repair; which one does not matter for a loss that averages.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import ELEMENTWISE, TARGET_LOSSES, operands, shown
from ...trace import Axis, Event, Trace
from ..facts import Facts, Span, distinct
from ..remedy import AlignOrder
from ..subjects import of_calls

code = "SW207"
aliases = ("copies-in-other-order",)


@of_calls(*ELEMENTWISE, *TARGET_LOSSES, "joins")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every pairing of axes whose factors stand in opposite orders."""
    pair = [fact for fact in operands(event) if fact.rank >= 1 and len(fact.axes) == fact.rank][:2]
    if len(pair) != 2:
        return
    a, b = pair
    matched = (
        zip(reversed(a.axes), reversed(b.axes))
        if event.op in ELEMENTWISE and a.rank == b.rank
        else zip(a.axes[:1], b.axes[:1])
    )
    for left, right in matched:
        if opposite(left, right, event.op in TARGET_LOSSES):
            yield _facts(event, a, b, left, right)
            break


def opposite(a: Axis, b: Axis, compared: bool = False) -> bool:
    """Whether both axes have two factors, of the same sizes in opposite orders, and at least one is made of copies.

    Each of n rows against each of n rows is the usual way to make all pairs; only a loss (`compared`) does not want
    these."""
    if a.size != b.size or len(a.uids) != 2 or len(b.uids) != 2:
        return False
    sizes_a, sizes_b = [n for _, n in a.uids], [n for _, n in b.uids]
    notes = [axis.origin.note.split("(")[0] if axis.origin else "" for axis in (a, b)]
    copied = [ops.is_a(note, "repeats") for note in notes]
    if not any(copied):
        return False
    if sizes_a[0] == sizes_a[1]:
        return (
            compared and all(copied) and ("repeat_interleave" in notes) and notes[0] != notes[1] and sizes_a == sizes_b
        )
    return sizes_a == sizes_b[::-1]


def _facts(event: Event, a, b, left: Axis, right: Axis) -> Facts:
    how = [axis.origin.note if axis.origin else "?" for axis in (left, right)]
    sizes = [" × ".join(str(n) for _, n in axis.uids) for axis in (left, right)]
    origins = tuple(axis.origin for axis in (left, right) if axis.origin and axis.origin.site)
    return Facts(
        site=event.site,
        fields={
            "op": event.op,
            "left": a.name or "input",
            "right": b.name or ("target" if event.op in TARGET_LOSSES else "`other`"),
            "left_order": sizes[0],
            "right_order": sizes[1],
            "left_made": how[0],
            "right_made": how[1],
        },
        origins=distinct(origins, event),
        spans=(Span(event.site, f"{a.name or 'a'} {shown(a.shape)} · {b.name or 'b'} {shown(b.shape)}"),),
        event=event.index,
        remedy=AlignOrder("repeat"),
    )


MESSAGES = {
    "en": {
        "message": (
            "{op} pairs {left} ({left_order}) with {right} ({right_order}): the copies are in different orders"
        ),
        "why": (
            "{left} was made by {left_made}, {right} by {right_made}. Tensor.repeat copies the whole batch (a b a b); "
            "repeat_interleave copies each sample (a a b b)"
        ),
    },
    "es": {
        "message": (
            "{op} empareja {left} ({left_order}) con {right} ({right_order}): las copias están en órdenes distintos"
        ),
        "why": (
            "{left} se creó con {left_made} y {right} con {right_made}. Tensor.repeat copia el lote entero (a b a b); "
            "repeat_interleave copia cada muestra (a a b b)"
        ),
    },
    "ja": {
        "message": (
            "{op} は {left} ({left_order}) と {right} ({right_order}) を組にしていますが、複製の並び順が異なります"
        ),
        "why": (
            "{left} は {left_made}、{right} は {right_made} の結果です。Tensor.repeat はバッチ全体を (a b a b)、"
            "repeat_interleave はサンプルごとに (a a b b) 複製します"
        ),
    },
}
