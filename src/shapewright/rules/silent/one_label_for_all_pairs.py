"""All rows of a table of samples against samples get the same label.

## What it finds
`cross_entropy` of a `(batch, batch)` table of similarities with targets made by `zeros`, `ones` or `full`.

## Why it hurts
Row i of the table should choose column i; with one label all samples are drawn to a single one.

## Example
    F.cross_entropy(a @ b.t(), torch.zeros(len(a), dtype=torch.long))

## Instead
    F.cross_entropy(a @ b.t(), torch.arange(len(a)))

## Fix safety
A constant 0 is right only where the positive was put into column 0; replacing it is safe where row i and column i
belong together.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, maker, shown
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import NumberPairs
from ..subjects import of_calls

code = "SW215"


@of_calls("cross_entropy")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every table of samples against samples with constant targets."""
    scores, target = argument(event, 0, "input"), argument(event, 1, "target")
    if (
        not isinstance(scores, TensorFact)
        or not isinstance(target, TensorFact)
        or scores.rank != 2
        or len(scores.axes) != 2
    ):
        return
    rows, columns = scores.axes
    if scores.shape[0] < 2 or scores.shape[0] != scores.shape[1] or not rows.uids or rows.uids != columns.uids:
        return
    made = maker(trace, target, lambda e: ops.is_a(e.op, "casts"))
    if made is not None and ops.is_a(made.op, "fills_constant"):
        yield Facts(
            event.site,
            fields={"shape": shown(scores.shape), "op": made.op, "samples": scores.shape[0]},
            origins=place(trace, made.site),
            cause=(code, made.site),
            event=event.index,
            remedy=NumberPairs(),
        )


MESSAGES = {
    "en": {
        "message": "all {samples} rows of {shape}, a table of samples × samples, get the same label",
        "why": (
            "rows and columns are the same samples, so the label of row i should be i; with {op}, every row has the "
            "label of the same column"
        ),
    },
    "es": {
        "message": "las {samples} filas de {shape}, una tabla de muestras × muestras, reciben la misma etiqueta",
        "why": (
            "filas y columnas son las mismas muestras, así que la etiqueta de la fila i debería ser i; con {op}, todas "
            "las filas tienen la etiqueta de la misma columna"
        ),
    },
    "ja": {
        "message": "サンプルどうしの表 {shape} の {samples} 行すべてに、同じラベルが付いています",
        "why": (
            "行と列は同じサンプルなので、行 i のラベルは i のはずですが、{op} ではすべての行のラベルが同じ列を指します"
        ),
    },
}
