"""A learned parameter has one entry for each sample of a batch.

## What it finds
A class token, a position table or a first state that is an `nn.Parameter` with the batch size among its sizes: the
model fails with one sample less, and works again when the parameter has one entry less. Proven by running the model.

## Why it hurts
Each position in the batch learns values of its own, though its samples change from batch to batch; a smaller last
batch, a single sample and other batch sizes fail.

## Example
    # self.class_token = nn.Parameter(torch.randn(batch_size, 1, dim))

## Instead
    # self.class_token = nn.Parameter(torch.randn(1, 1, dim)), and self.class_token.expand(len(x), -1, -1) in forward.

## Fix safety
Changes what the model can learn, as intended; saved weights no longer fit. Parameters of a model that sees all its
samples in one batch, such as a code for each sample, are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import chain
from ...graph.probed import line_of
from ...trace import Event, Origin, SizedByBatch, TensorFact, Trace
from ..data_remedy import ForAnySample
from ..facts import Facts

code = "SW241"
MOVING = frozenset({"to", "cuda", "cpu", "float", "double", "half", "bfloat16"})


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(SizedByBatch):
        if not 0 <= answer.event < len(trace.events):
            continue
        made = _made(trace, answer.event)
        if made.site is None:
            continue
        data = answer.data
        origins = tuple(Origin("constructor", line_of(trace, site), site) for site in reversed(made.stack[:-1]))
        yield Facts(
            made.site,
            fields={
                "name": data.names[0].rpartition(".")[2],
                "names": ", ".join(data.names),
                "shape": data.shapes[0],
                "batch": data.batch,
                "less": data.batch - 1,
                "model": data.model,
            },
            origins=origins,
            remedy=ForAnySample(data.names[0].rpartition(".")[2], data.shapes[0].index(data.batch)),
        )


def _made(trace: Trace, index: int) -> Event:
    """The call that made a parameter, before it was moved to a device."""
    *_, made = chain(trace, TensorFact(producer=index), lambda e: e.op in MOVING)
    return made


MESSAGES = {
    "en": {
        "message": "the parameter {name} {shape} has one entry for each of the {batch} samples of the batch",
        "why": (
            "{model} fails with a batch of {less} samples unless the size of {names} is also changed to {less}: each "
            "position in the batch learns its own values"
        ),
    },
    "es": {
        "message": "el parámetro {name} {shape} tiene un elemento por cada una de las {batch} muestras del lote",
        "why": (
            "{model} falla con un lote de {less} muestras, salvo que el tamaño de {names} cambie también a {less}: "
            "cada posición del lote aprende sus propios valores"
        ),
    },
    "ja": {
        "message": "パラメータ {name} {shape} は、バッチの {batch} サンプルのそれぞれに 1 つずつ要素を持っています",
        "why": (
            "{model} は {less} サンプルのバッチでは失敗し、{names} のサイズも {less} に変えると動きます。バッチ内の位置"
            "ごとに別の値が学習されます"
        ),
    },
}
