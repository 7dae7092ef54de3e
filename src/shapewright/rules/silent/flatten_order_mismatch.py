"""Predictions and targets are flattened in different orders.

## What it finds
A loss (or one index for several tables) that pairs two flattened axes. Each was merged from two axes, and one of these
is the same on both sides: on one side it is the outer axis, on the other the inner axis.

## Why it hurts
The counts agree, so nothing raises; but most elements of one side are paired with those of a different sample or step.

## Example
    loss = cross_entropy(out.reshape(-1, C), y.reshape(-1))     # out (time, batch, C), y (batch, time)

## Instead
    loss = cross_entropy(out.transpose(0, 1).reshape(-1, C), y.reshape(-1))

## Fix safety
Safe; the transposed axes are those that were merged.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import TARGET_LOSSES, one_per_place, operands, produced, shown
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignOrder

code = "SW217"
aliases = ("flattened-in-other-order",)


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss between two axes merged in opposite orders."""
    for event in (
        event for event in trace.events if event.site is not None and event.op in TARGET_LOSSES | ops.named("equates")
    ):
        pair = [fact for fact in operands(event)[:2] if fact.rank >= 1 and len(fact.axes) == fact.rank]
        if len(pair) != 2:
            continue
        left, right = pair[0].axes[0], pair[1].axes[0]
        if left.size != right.size or len(left.uids) != 2 or len(right.uids) != 2:
            continue
        shared = [(i, j) for i, own in enumerate(left.uids) for j, other in enumerate(right.uids) if own == other]
        if len(shared) != 1 or shared[0][0] == shared[0][1]:
            continue
        sources = [made for fact in pair if (made := produced(trace, fact)) is not None and made.site is not None]
        yield Facts(
            event.site,
            fields={
                "op": event.op,
                "a": shown(tuple(size for _, size in left.uids)),
                "b": shown(tuple(size for _, size in right.uids)),
                "size": left.size,
            },
            origins=tuple(o for made in sources for o in place(trace, made.site)),
            event=event.index,
            remedy=AlignOrder("flatten"),
        )
    yield from _picked(trace)


def _picked(trace: Trace) -> Iterator[Facts]:
    """Rows picked by one and the same index out of tables of which one was flattened in the other order, `(time, envs)`
    beside `(envs, time)`."""
    groups: dict[int, list[Event]] = {}
    for event in trace.events:
        if (
            event.op == "getitem"
            and event.site is not None
            and len(event.args) == 2
            and all(isinstance(part, TensorFact) for part in event.args)
            and event.args[1].rank == 1
        ):
            fact = event.args[0]
            if (
                fact.axes
                and len(fact.axes[0].uids) == 2
                and fact.axes[0].uids[0][1] != fact.axes[0].uids[1][1]
                and event.args[1].uid
            ):
                groups.setdefault(event.args[1].uid, []).append(event)
    for users in groups.values():
        sizes = [tuple(size for _, size in user.args[0].axes[0].uids) for user in users]
        usual = max(sizes, key=sizes.count)
        for user, own in zip(users, sizes):
            if own == usual[::-1] and sizes.count(usual) > sizes.count(own):
                made = produced(trace, user.args[0])
                if made is not None and ops.is_a(made.op, "folds") and made.site is not None:
                    yield Facts(
                        made.site,
                        message="picked",
                        fields={"a": shown(own), "b": shown(usual), "size": own[0] * own[1], "op": made.op},
                        why="why_picked",
                        origins=place(trace, user.site),
                        event=made.index,
                        remedy=AlignOrder("flatten", made.site),
                    )


MESSAGES = {
    "en": {
        "picked": (
            "one index selects rows from tables flattened in different orders: {op} flattens {a} into {size} rows "
            "here, but the other tables were flattened from {b}"
        ),
        "why_picked": "row i of this table and row i of the other tables do not belong together",
        "message": (
            "{op} pairs {size} values flattened from {a} with {size} values flattened from {b}, in a different order"
        ),
        "why": "the same two axes were flattened in opposite orders, so values that do not belong together are paired",
    },
    "es": {
        "picked": (
            "un mismo índice selecciona filas de tablas aplanadas en órdenes distintos: aquí {op} aplana {a} en {size} "
            "filas, pero las otras tablas se aplanaron a partir de {b}"
        ),
        "why_picked": "la fila i de esta tabla y la fila i de las otras no se corresponden",
        "message": (
            "{op} empareja {size} valores aplanados a partir de {a} con {size} valores aplanados a partir de {b}, en "
            "otro orden"
        ),
        "why": (
            "los mismos dos ejes se aplanaron en órdenes opuestos, así que se emparejan valores que no se corresponden"
        ),
    },
    "ja": {
        "picked": (
            "平坦化の順が異なる表から、同じ添字で行が選ばれています。ここでは {op} が {a} を {size} 行に平坦化していま"
            "すが、ほかの表は {b} を平坦化したものです"
        ),
        "why_picked": "この表の i 行目と、ほかの表の i 行目は対応していません",
        "message": (
            "{op} が、{a} を平坦化した {size} 個の値を、{b} を平坦化した並び順の違う {size} 個の値と組にしています"
        ),
        "why": "同じ 2 つの軸が互いに逆の順で平坦化されたため、対応しない値どうしが組になっています",
    },
}
