"""Two tensors whose rows are samples are joined though their rows come in different orders.

## What it finds
An operator inside a model that adds or concatenates two tensors, each of which keeps its samples apart, while the
result mixes them: the rows of one run sample by sample, those of the other copy by copy.

## Why it hurts
Rows of different samples are added or concatenated; sizes agree, so nothing raises.

## Example
    torch.cat([x.repeat(k, 1), y.repeat_interleave(k, 0)], dim=1)

## Instead
    # the same order on both sides: repeat_interleave twice, or repeat twice.

## Fix safety
The order must be that in which the result is read afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import evidence, line_of, mixed, numbers, severity
from ...trace import Trace
from ..facts import Facts
from ..remedy import Refold

code = "SW255"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "joining"):
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields={"source": line_of(trace, answer.site), **numbers(answer)},
            severity=severity(answer),
            remedy=Refold(),
        )


MESSAGES = {
    "en": {
        "message": (
            "`{source}` combines rows of different samples: its operands hold the {batch} samples in different orders"
        ),
        "why": (
            "each operand keeps the samples separate, but the result does not: replacing sample 0 changed the "
            "outputs of {changed} of the {of} other samples (by up to {largest})"
        ),
        "alone": (
            "each operand keeps the samples separate, but the result does not: when some samples are removed, "
            "the outputs of the others change"
        ),
    },
    "es": {
        "message": (
            "`{source}` combina filas de muestras distintas: sus operandos tienen las {batch} muestras en "
            "órdenes diferentes"
        ),
        "why": (
            "cada operando mantiene separadas las muestras, pero el resultado no: al sustituir la muestra 0 "
            "cambiaron las salidas de {changed} de las otras {of} muestras (diferencia máxima: {largest})"
        ),
        "alone": (
            "cada operando mantiene separadas las muestras, pero el resultado no: al quitar algunas cambian "
            "las salidas de las demás"
        ),
    },
    "ja": {
        "message": (
            "`{source}` が別々のサンプルの行を結び付けています。2 つのオペランドで {batch} サンプルの並び順が違います"
        ),
        "why": (
            "各オペランドではサンプルが分かれていますが、結果では混ざります。サンプル 0 を替えると、ほかの {of} 件中 "
            "{changed} 件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": (
            "各オペランドではサンプルが分かれていますが、結果では混ざります。"
            "一部のサンプルを除くと残りの出力が変わります"
        ),
    },
}
