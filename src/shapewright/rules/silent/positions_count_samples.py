"""Positions are counted along the batch instead of along time.

## What it finds
Position numbers, or a slice of a table of positions, whose length is the number of samples, so that a sample's output
depends on its place in the batch.

## Why it hurts
The tokens of a sequence do not get their own positions, and the same sequence is encoded differently at another place
in the batch.

## Example
    # pos = torch.arange(x.size(0)).unsqueeze(1) for tokens (batch, time); x + self.pe[:x.size(0)] for (batch,
    # time, dim).

## Instead
    # torch.arange(x.size(1)).unsqueeze(0); x + self.pe[:, :x.size(1)] with a table (1, max_len, dim).

## Fix safety
Safe where the input is `(batch, time, ...)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import line_of, mixed, numbers, severity
from ...trace import Trace
from ..facts import Facts
from ..remedy import CountSteps

code = "SW254"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "placing"):
        yield Facts(
            answer.site,
            fields={"source": line_of(trace, answer.site), **numbers(answer)},
            severity=severity(answer),
            remedy=CountSteps(),
        )


MESSAGES = {
    "en": {
        "message": (
            "positions are counted along the {batch} samples: the output for a sample depends on its position in the "
            "batch"
        ),
        "why": (
            "the length of `{source}` is the batch size. When the first and the last sample were removed, the others "
            "moved up by one position, and their outputs changed"
        ),
    },
    "es": {
        "message": (
            "las posiciones se cuentan a lo largo de las {batch} muestras: la salida de una muestra depende de su "
            "posición en el lote"
        ),
        "why": (
            "la longitud de `{source}` es el tamaño del lote. Al quitar la primera y la última muestra, las demás "
            "avanzaron una posición y sus salidas cambiaron"
        ),
    },
    "ja": {
        "message": (
            "位置がバッチの {batch} サンプルに沿って数えられるため、サンプルの出力がバッチ内の位置に左右されます"
        ),
        "why": (
            "`{source}` の長さはバッチサイズです。最初と最後のサンプルを除くと、残りのサンプルの位置が 1 つずつ前にずれ"
            "、出力が変わりました"
        ),
    },
}
