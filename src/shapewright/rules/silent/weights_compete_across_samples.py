"""A softmax, a normalization or a running sum inside a model runs across the samples.

## What it finds
A softmax, normalization or running sum inside the model whose axis is really the batch, proven by running the model
again without some samples.

## Why it hurts
The outputs for a sample depend on the other samples in the batch; in a batch of one, a softmax gives any sample the
weight 1.

## Example
    # torch.stack([a, b], 0).softmax(dim=1), where axis 0 holds the choices and axis 1 the batch.

## Instead
    # the axis of the choices, here softmax(dim=0).

## Fix safety
Which axis the weights should be normalized over must be read from the code.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import shown
from ...graph.probed import along, evidence, made, mixed, numbers, severity
from ...trace import Trace
from ..facts import Facts

code = "SW252"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "competing"):
        axis, shape = along(answer.data)
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields={"op": answer.data.op, "axis": axis, "shape": shown(shape), **numbers(answer)},
            origins=made(trace, answer),
            severity=severity(answer),
        )


MESSAGES = {
    "en": {
        "message": "{op} runs over the {batch} samples: axis {axis} of {shape} is the batch",
        "why": (
            "the samples are combined with each other: replacing sample 0 changed the outputs of other samples ("
            "{changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "the samples are combined with each other: when some samples are removed, the outputs of the others change"
        ),
    },
    "es": {
        "message": "{op} se aplica sobre las {batch} muestras: el eje {axis} de {shape} es el lote",
        "why": (
            "las muestras se combinan entre sí: al sustituir la muestra 0 cambiaron las salidas de otras muestras ("
            "{changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": "las muestras se combinan entre sí: al quitar algunas cambian las salidas de las demás",
    },
    "ja": {
        "message": "{op} が {batch} 個のサンプルにわたって計算されています。{shape} の軸 {axis} はバッチです",
        "why": (
            "サンプルどうしが組み合わされます。サンプル 0 を別のものに替えると、ほかの {of} 件中 {changed} 件の出力が変"
            "わりました (差は最大 {largest})"
        ),
        "alone": "サンプルどうしが組み合わされます。一部のサンプルを除くと、残りの出力が変わります",
    },
}
