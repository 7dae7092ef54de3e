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
        "message": "`{source}` applies {op} over the {batch} samples of the batch as well",
        "why": (
            "the result affects the outputs of the other samples: replacing sample 0 changed the outputs of other "
            "samples ({changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "the result affects the outputs of the other samples: when some samples are removed, the outputs of the "
            "others change"
        ),
    },
    "es": {
        "message": "`{source}` aplica {op} también sobre las {batch} muestras del lote",
        "why": (
            "el resultado afecta a las salidas de las demás muestras: al sustituir la muestra 0 cambiaron las salidas "
            "de otras muestras ({changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": (
            "el resultado afecta a las salidas de las demás muestras: al quitar algunas cambian las salidas de las "
            "demás"
        ),
    },
    "ja": {
        "message": "`{source}` の {op} がバッチの {batch} サンプルにもわたっています",
        "why": (
            "その結果がほかのサンプルの出力に影響します。サンプル 0 を別のものに替えると、ほかの {of} 件中 {changed} 件"
            "の出力が変わりました (差は最大 {largest})"
        ),
        "alone": "その結果がほかのサンプルの出力に影響します。一部のサンプルを除くと、残りの出力が変わります",
    },
}
