"""The samples of a batch are sorted, as packing expects, but their targets stay in the old order.

## What it finds
Inputs picked by the order that `sort` or `argsort` gave, targets that were not, and no output put back into the old
order; also outputs that are picked by the same order once more, which does not undo it.

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

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.behind import behind
from ...graph.flow import RESHAPING, TARGET_LOSSES, argument, grouped, one_per_place, operands, produced, root
from ...graph.source import Source
from ...graph.training import ancestors, learned, place
from ...trace import Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignOrder, Rewrite

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
                or not order.shape
                or order.shape[0] not in {side.sizes[0] for side in (answer, _whole(trace, answer)) if side.rank}
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
            if any(user.op in PICKING and user.index in made for user in readers.get(lengths.uid, ())):
                continue  # rows that were picked by an index before go back to their places
            users = [user for user in readers.get(order.uid, ()) if not ops.is_a(user.op, "leaves", "reads_shape")]
            if any(user.op not in PICKING or user.index in given for user in users) or pick.index in given:
                continue
            back = [user for user in users if user.index in made and operands(user)[0].requires_grad]
            if back and len(back) == 1 and back[0].site and pick.index in ancestors(trace, operands(back[0])[0]):
                yield Facts(
                    back[0].site,
                    message="again",
                    why="why_again",
                    fields={"line": pick.site.line, "sorting": sorting.site.line if sorting.site else "?"},
                    origins=place(trace, pick.site) + place(trace, sorting.site) + place(trace, event.site),
                    event=back[0].index,
                    remedy=_inverse(trace, back[0].site),
                )
                break
            if not back:
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


def _whole(trace: Trace, answer: TensorFact) -> TensorFact:
    """An answer before it was flattened."""
    return root(trace, answer, lambda event: event.op in RESHAPING)


def _inverse(trace: Trace, site: Site) -> Rewrite | None:
    """The rows picked by the inverse of a named order."""
    source = Source(trace)
    node = source.node_at(site, (ast.Subscript,))
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Name):
        return None
    return Rewrite(f"{source.text(node.value, site.file)}[{node.slice.id}.argsort()]")


MESSAGES = {
    "en": {
        "message": "the samples are sorted by length here, but {name} is not sorted with them",
        "why": (
            "the order comes from the sort on line {line}. The loss on line {loss} compares outputs in sorted order "
            "with targets in the original order"
        ),
        "again": "the outputs are reordered with the sorting order itself, which does not restore the original order",
        "why_again": (
            "line {line} already picked the inputs by the order of the sort on line {sorting}. Picking the outputs by "
            "it again sorts them a second time: only its inverse, order.argsort(), restores the original order. The "
            "targets are in the original order"
        ),
    },
    "es": {
        "message": "aquí las muestras se ordenan por longitud, pero {name} no se ordena con ellas",
        "why": (
            "el orden procede del sort de la línea {line}. La pérdida de la línea {loss} compara salidas en el orden "
            "nuevo con objetivos en el orden original"
        ),
        "again": "las salidas se reordenan con el mismo orden del sort, y eso no restablece el orden original",
        "why_again": (
            "la línea {line} ya tomó las entradas en el orden del sort de la línea {sorting}. Tomar las salidas otra "
            "vez en ese orden las reordena de nuevo: solo su inverso, order.argsort(), restablece el orden original. "
            "Los objetivos están en el orden original"
        ),
    },
    "ja": {
        "message": "ここでサンプルは長さの順に並べ替えられますが、{name} は並べ替えられていません",
        "why": (
            "並び順は {line} 行目の sort によるものです。{loss} 行目の損失は、並べ替えた出力を、元の順序のままのターゲ"
            "ットと比べています"
        ),
        "again": "出力を、入力の並べ替えに使った順序でもう一度並べ替えています。これでは元の順序に戻りません",
        "why_again": (
            "{line} 行目で、入力はすでに {sorting} 行目の sort の順序に並べ替えられています。同じ順序で出力を取り出す"
            "と、もう一度並べ替えることになります。元の順序に戻すのは、逆順列 order.argsort() だけです。ターゲットは元"
            "の順序のままです"
        ),
    },
}
