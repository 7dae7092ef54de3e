"""Each sample competes with itself for the place of its partner.

## What it finds
`cross_entropy` of a table that holds the similarity of each sample with every sample of the same tensor, where each row
is to choose another column and its own was not taken out.

## Why it hurts
The similarity of a sample with itself is one of the negatives of every row. A cosine similarity with itself is always
1: the loss cannot lower it, and no partner has a higher score.

## Example
    z = F.normalize(torch.cat([a, b]), dim=1)
    F.cross_entropy(z @ z.t() / 0.1, partners)

## Instead
    table = (z @ z.t() / 0.1).fill_diagonal_(-torch.inf)
    F.cross_entropy(table, partners)

## Fix safety
Nothing is reported where each row is to choose its own column, where two different tensors are compared, or where
anything but a plain number changes the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, consumers, maker, operands, produced, result_shape, root, shown, which
from ...graph.scaling import factor
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite
from ..subjects import of_calls

code = "SW354"


@of_calls("classifies")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every loss that chooses among similarities of which one is that with itself."""
    scores, target = argument(event, 0, "input"), argument(event, 1, "target")
    if not isinstance(scores, TensorFact) or not isinstance(target, TensorFact) or not _partners(trace, target):
        return
    product = _table(trace, scores)
    if product is not None:
        yield Facts(
            event.site,
            fields={"shape": shown(scores.shape), "samples": scores.shape[0]},
            origins=place(trace, product.site) if product.site != event.site else (),
            remedy=Rewrite('{}.fill_diagonal_(float("-inf"))', site=product.site),
            event=event.index,
        )


def _table(trace: Trace, scores: TensorFact) -> Event | None:
    """The product of a tensor with itself that a square table of samples comes from, by plain numbers alone."""
    rows, columns = scores.axes if len(scores.axes) == 2 else (None, None)
    if rows is None or scores.shape[0] < 3 or not rows.uids or rows.uids != columns.uids or not scores.requires_grad:
        return None
    event = produced(trace, scores)
    while event is not None and not any(user.op.endswith(("_", "setitem")) for user in consumers(trace, event.index)):
        if ops.is_a(event.op, "contracts", "similar"):
            sides = operands(event)
            same = len(sides) == 2 and len({which(root(trace, side, _same_values)) for side in sides}) == 1
            return event if same and not any(side.kind == "parameter" for side in sides) else None
        if factor(event) is None and not (ops.is_a(event.op, "softmaxes") and len(operands(event)) == 1):
            return None
        event = produced(trace, operands(event)[0])
    return None


def _same_values(event: Event) -> bool:
    """Whether a tensor is but turned or laid out anew."""
    given = operands(event) if ops.is_a(event.op, "reshapes", "brackets") else []
    return len(given) == 1 and math.prod(result_shape(event) or ()) == math.prod(given[0].shape)


def _partners(trace: Trace, target: TensorFact) -> bool:
    """Whether the columns to choose were counted up and are others than the row's own."""
    event = maker(trace, target, lambda e: factor(e) == 1)
    if event is None or ops.is_a(event.op, "counts_up"):
        return False
    return any(ops.is_a(made.op, "counts_up") for made in ancestors(trace, target, 40).values())


MESSAGES = {
    "en": {
        "message": "in each row of the table {shape} the sample itself competes too",
        "why": (
            "rows and columns are the same {samples} samples, and no row is to choose its own column: the similarity "
            "of a sample with itself stays among the negatives. Set the diagonal to -inf before the loss"
        ),
    },
    "es": {
        "message": "en cada fila de la tabla {shape} compite también la propia muestra",
        "why": (
            "filas y columnas son las mismas {samples} muestras y ninguna fila debe elegir su propia columna: la "
            "similitud de una muestra consigo misma queda entre los negativos. Pon la diagonal a -inf antes de la "
            "pérdida"
        ),
    },
    "ja": {
        "message": "表 {shape} の各行に、そのサンプル自身との類似度も含まれています",
        "why": (
            "行と列は同じ {samples} 件のサンプルで、どの行も自分以外の列を選ぶはずですが、自分自身との類似度が負例に"
            "残っています。損失の前に対角成分を -inf にしてください"
        ),
    },
}
