"""Predictions and targets are flattened in different orders.

## What it finds
A loss (or one index for several tables) that pairs two flattened axes. Each was merged from two axes, one of which is
the same on both sides: the outer of the two on one side, and the inner of the two on the other.

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
        event for event in trace.events if event.site is not None and event.op in {*TARGET_LOSSES, "eq", "ne"}
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
            "{op} flattens {a} into {size} rows, but rows with the same numbers are selected from tables flattened "
            "from {b}"
        ),
        "why_picked": "one index selects from all these tables, although their rows are in different orders",
        "message": "{op} pairs {size} values flattened from {a} with {size} values flattened from {b}",
        "why": "the two sides were flattened in opposite orders, so values that do not belong together are paired",
    },
    "es": {
        "picked": (
            "{op} aplana {a} en {size} filas, pero las filas con los mismos números se seleccionan de tablas aplanadas "
            "desde {b}"
        ),
        "why_picked": "un solo índice selecciona en todas las tablas, aunque sus filas están en órdenes distintos",
        "message": "{op} empareja {size} valores aplanados desde {a} con {size} valores aplanados desde {b}",
        "why": "los dos lados se aplanaron en órdenes opuestos, así que se emparejan valores que no se corresponden",
    },
    "ja": {
        "picked": "{op} で {a} を平坦化した {size} 行が、{b} を平坦化した表の同じ番号の行と対応づけられています",
        "why_picked": "行の並び順が違うのに、1 つの添字ですべての表から行を取っています",
        "message": "{op} は {a} を平坦化した {size} 個の値と {b} を平坦化した {size} 個の値を組にしています",
        "why": "両側が互いに逆の順で平坦化されたため、対応しない値どうしが組になっています",
    },
}
