"""Input values of a thousand and more enter a layer without scaling.

## What it finds
A model whose training input has a column with a mean absolute value of a thousand or more, which goes into a linear,
convolutional or recurrent layer without any normalization or scaling in between.

## Why it hurts
Such a column can outweigh the others, units can saturate, and a learning rate that suits other weights can be far too
large for these.

## Example
    x = torch.tensor(table[["area", "rooms"]].values, dtype=torch.float32)

## Instead
    x = (x - x.mean(0)) / x.std(0)         # of the training rows

## Fix safety
Nothing is reported where a normalization, a division or an embedding comes first.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import first_layer, tensors
from ...graph.training import handed_on, of_kind, place
from ...trace import Trace
from ..facts import Facts

code = "SW229"


def check(trace: Trace) -> Iterator[Facts]:
    """The first such input."""
    for large in trace.data.large:
        for step in of_kind(trace, "forward"):
            given = next(tensors(step.data["args"]), None) if step.site == large.site else None
            layer = first_layer(trace, given) if given is not None else None
            if layer is None or layer.site is None:
                continue
            yield Facts(
                large.site,
                fields={
                    "peak": f"{large.peak:.4g}",
                    "rest": f"{large.rest:.2g}",
                    "column": large.column,
                    "op": layer.op,
                },
                origins=tuple(o for one in (*large.tables, *handed_on(trace, given)) for o in place(trace, one))
                + place(trace, layer.site),
                severity="warning",
            )
            return


MESSAGES = {
    "en": {
        "message": (
            "column {column} of the input (counted from 0) has a mean absolute value of {peak} and is passed to "
            "{op} without scaling"
        ),
        "why": (
            "the mean absolute value of the other columns is {rest} (0 if there are none); this column is multiplied "
            "by the weights without any normalization or scaling"
        ),
    },
    "es": {
        "message": (
            "la columna {column} de la entrada (contada desde 0) tiene un valor absoluto medio de {peak} y se pasa "
            "a {op} sin escalar"
        ),
        "why": (
            "el valor absoluto medio de las otras columnas es {rest} (0 si no hay otras); esta columna se multiplica "
            "por los pesos sin normalizarla ni escalarla"
        ),
    },
    "ja": {
        "message": (
            "入力の列 {column} (0 始まり) の絶対値の平均は {peak} で、スケーリングされずに {op} に渡されています"
        ),
        "why": (
            "ほかの列の絶対値の平均は {rest} (ほかの列がなければ 0) です。この列は正規化もスケーリングもされずに重みと"
            "掛け合わされます"
        ),
    },
}
