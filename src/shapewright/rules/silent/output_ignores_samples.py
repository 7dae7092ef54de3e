"""A model gives the same output for every sample.

## What it finds
A model whose outputs do not change at all when the samples of a batch are reordered. The model is run twice in this
way, the second time with inputs a thousand times smaller; nothing is reported where a dead or saturated activation may
be the reason.

## Why it hurts
The output says nothing about the sample: it is the same for all samples.

## Example
    # x = self.encode(x); return self.head(self.query.expand(len(x), -1))     # x is never read again

## Instead
    # return self.head(self.attend(self.query.expand(len(x), -1), x))

## Fix safety
No edit is offered: find what should read the samples, beginning at the line that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import BatchIndependence, SampleReach, Trace
from ..facts import Facts

code = "SW242"
aliases = ("answer-ignores-samples",)
DYING = frozenset(
    {
        "relu",
        "relu_",
        "relu6",
        "threshold",
        "clamp",
        "clamp_",
        "clip",
        "clamp_min",
        "clamp_max",
        "hardtanh",
        "hardsigmoid",
        "hardswish",
        "sigmoid",
        "sigmoid_",
        "tanh",
        "tanh_",
        "softmax",
        "log_softmax",
        "softmin",
        "sign",
        "round",
        "floor",
        "ceil",
        "argmax",
        "argmin",
        "gt",
        "lt",
        "ge",
        "le",
        "eq",
        "ne",
        "celu",
        "elu",
        "selu",
        "gelu",
        "silu",
        "softplus",
        "exp",
        "normalize",
        "dropout",
    }
)


def check(trace: Trace) -> Iterator[Facts]:
    mixing = {answer.module for answer in trace.answers(BatchIndependence)}
    for answer in trace.answers(SampleReach):
        if answer.site is None or answer.data.op in DYING or answer.module in mixing:
            continue
        yield Facts(
            answer.site,
            fields={"batch": answer.data.batch, "model": answer.data.model, "shape": answer.data.shape},
            severity="error" if answer.data.certain else "warning",
        )


MESSAGES = {
    "en": {
        "message": "the outputs of {model} do not change when the samples are reordered",
        "why": (
            "with the {batch} samples in a different order, the outputs {shape} are exactly the same. This is the last "
            "call that uses the samples"
        ),
    },
    "es": {
        "message": "las salidas de {model} no cambian al reordenar las muestras",
        "why": (
            "con las {batch} muestras en otro orden, las salidas {shape} son exactamente las mismas. Esta es la última "
            "llamada que usa las muestras"
        ),
    },
    "ja": {
        "message": "サンプルを並べ替えても {model} の出力が変わりません",
        "why": (
            "{batch} サンプルの順序を変えても、出力 {shape} はまったく同じでした。サンプルの値が使われるのは、この呼び"
            "出しが最後です"
        ),
    },
}
