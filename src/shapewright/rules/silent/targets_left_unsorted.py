"""The samples of a batch are sorted, as packing expects, but their targets stay in the old order.

## What it finds
Inputs picked by the order that `sort` or `argsort` gave, targets that were not, and no output put back into the old
order.

## Why it hurts
Samples are compared with the labels of other samples.

## Example
    lengths, order = lengths.sort(descending=True)
    return padded[order], lengths, labels

## Instead
    return padded[order], lengths, labels[order]

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.behind import behind
from ...graph.flow import TARGET_LOSSES, argument, grouped, one_per_place, operands, produced
from ...graph.training import ancestors, learned, place
from ...trace import TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignOrder

code = "SW299"
PICKING = ops.named("takes")


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss whose answers stand in a sorted order and whose targets do not."""
    roots = learned(trace)
    readers = grouped((fact.uid, event) for event in trace.events for fact in operands(event))
    for event in trace.events:
        answer, target = argument(event, 0, "input"), argument(event, 1, "target")
        if (
            event.op not in TARGET_LOSSES
            or event.site is None
            or event.index not in roots
            or not isinstance(answer, TensorFact)
            or not isinstance(target, TensorFact)
        ):
            continue
        made, given = ancestors(trace, answer), ancestors(trace, target)
        for pick in made.values():
            order = pick.args[-1] if pick.op in PICKING and len(pick.args) > 1 else None
            if (
                not isinstance(order, TensorFact)
                or order.rank != 1
                or not order.uid
                or not answer.shape
                or order.shape[0] != answer.shape[0]
                or pick.site is None
            ):
                continue
            sorting = produced(trace, order)
            rows = pick.args[0] if isinstance(pick.args[0], TensorFact) else None
            if (
                sorting is None
                or not ops.is_a(sorting.op, "sorts")
                or rows is None
                or not rows.shape
                or rows.shape[0] != order.shape[0]
                or rows.requires_grad
            ):
                continue
            lengths = operands(sorting)[0] if operands(sorting) else None
            if lengths is None or not lengths.dtype.startswith("int") or lengths.rank != 1:
                continue  # packing sorts by length: whole numbers
            users = [user for user in readers.get(order.uid, ()) if not ops.is_a(user.op, "leaves", "reads_shape")]
            if (
                all(user.op in PICKING for user in users)
                and pick.index not in given
                and not any(user.index in given for user in users)
            ) and not any(user.index in made and operands(user)[0].requires_grad for user in users):
                makers = [one.site for one in given.values() if one.site is not None]
                read = {at.line for one in makers for at in behind(trace, one, 1)}
                if sorting.site is not None and sorting.site.line in read:
                    continue  # a list that was read in that order
                yield Facts(
                    pick.site,
                    fields={
                        "line": sorting.site.line if sorting.site else "?",
                        "loss": event.site.line,
                        "name": target.name or "target",
                    },
                    origins=place(trace, sorting.site)
                    + tuple(o for one in made.values() if ops.is_a(one.op, "recurrent") for o in place(trace, one.site))
                    + place(trace, event.site),
                    severity="warning",
                    remedy=AlignOrder("sorted", event.site),
                    event=event.index,
                )
                break


MESSAGES = {
    "en": {
        "message": "the samples are sorted by length here, but {name} is not sorted with them",
        "why": (
            "the order comes from the sort on line {line}. The loss on line {loss} compares outputs in sorted order "
            "with targets in the original order"
        ),
    },
    "es": {
        "message": "aquí las muestras se ordenan por longitud, pero {name} no se ordena con ellas",
        "why": (
            "el orden procede del sort de la línea {line}. La pérdida de la línea {loss} compara salidas en el orden "
            "nuevo con objetivos en el orden original"
        ),
    },
    "ja": {
        "message": "ここでサンプルは長さの順に並べ替えられますが、{name} は並べ替えられていません",
        "why": (
            "並び順は {line} 行目の sort によるものです。{loss} 行目の損失は、並べ替えた出力を、元の順序のままのターゲ"
            "ットと比べています"
        ),
    },
}
