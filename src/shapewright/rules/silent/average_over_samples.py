"""A mean, sum or maximum inside a model runs over the samples too.

## What it finds
A reduction inside the model that removes the batch axis and whose result goes back into every sample's output, proven
by running the model again without some samples.

## Why it hurts
The output for a sample depends on the other samples in the batch.

## Example
    # x.mean(dim=(0, 2, 3)) in a squeeze-and-excitation block.

## Instead
    x.mean(dim=(2, 3))

## Fix safety
Safe where each sample should have an output of its own. A normalization by batch statistics (a mean and a spread) is
not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import evidence, line_of, mixed, numbers
from ...trace import Trace
from ..facts import Facts
from ..remedy import SetDim

code = "SW265"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "averaging"):
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields={"op": answer.data.op, "source": line_of(trace, answer.site), **numbers(answer)},
            severity="warning",
            remedy=SetDim(own=True),
        )


MESSAGES = {
    "en": {
        "message": "`{source}` applies {op} over the {batch} samples of the batch, not only within each sample",
        "why": (
            "each output then depends on the other samples in the batch: replacing sample 0 changed the outputs of "
            "other samples ({changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "each output then depends on the other samples in the batch: when some samples are removed, the outputs of "
            "the others change"
        ),
    },
    "es": {
        "message": "`{source}` aplica {op} a través de las {batch} muestras del lote, no solo dentro de cada muestra",
        "why": (
            "cada salida depende así de las demás muestras del lote: al sustituir la muestra 0 cambiaron las salidas "
            "de otras muestras ({changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": (
            "cada salida depende así de las demás muestras del lote: al quitar algunas, cambian las salidas de las "
            "otras"
        ),
    },
    "ja": {
        "message": "`{source}` の {op} は、各サンプルの中だけでなく、バッチの {batch} サンプルにわたって計算されます",
        "why": (
            "そのため、出力がバッチ内のほかのサンプルに左右されます。サンプル 0 を別のものに替えると、ほかの {of} 件中 "
            "{changed} 件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": (
            "そのため、出力がバッチ内のほかのサンプルに左右されます。一部のサンプルを除くと、残りの出力が変わります"
        ),
    },
}
