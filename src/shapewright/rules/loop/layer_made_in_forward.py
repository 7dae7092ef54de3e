"""A layer is made inside `forward`, so each call has a new one with new random weights.

## What it finds
`nn.Linear(...)(x)` and the like within a model's call: in two calls of the same model the layer from that line had
different weights, and
gradients were recorded through it.

## Why it hurts
No optimizer ever has the layer: it is thrown away after the step, and the rest of the model learns behind a random map
that changes every time.

## Example
    # def forward(self, x): return nn.Linear(64, 10)(self.body(x))

## Instead
    # self.head = nn.Linear(64, 10) in __init__, self.head(self.body(x)) in forward.

## Fix safety
Safe. A layer that is made once, at the first call, and one without random weights (`nn.LayerNorm(d)(x)`, a fixed
kernel) are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import of_kind, place
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import MakeOnce

code = "SW352"


def check(trace: Trace) -> Iterator[Facts]:
    for step in of_kind(trace, "passing"):
        model = trace.modules.get(step.data["owner"])
        if step.site is None or model is None:
            continue
        yield Facts(
            step.site,
            fields={"layer": step.data["kind"], "count": step.data["parameters"], "model": model.kind},
            origins=place(trace, model.stack[0]) if model.stack else (),
            remedy=MakeOnce(),
        )


MESSAGES = {
    "en": {
        "message": (
            "{layer} is created anew in every call of {model}: its weights are random each time and are never trained"
        ),
        "why": (
            "in two calls, this line gave {layer} different weights; its parameters ({count}) receive gradients, but "
            "no optimizer holds them, and they are discarded with the layer"
        ),
    },
    "es": {
        "message": (
            "{layer} se crea de nuevo en cada llamada de {model}: sus pesos son aleatorios cada vez y nunca se entrenan"
        ),
        "why": (
            "en dos llamadas, esta línea dio a {layer} pesos distintos; sus parámetros ({count}) reciben gradientes, "
            "pero ningún optimizador los tiene y se descartan con la capa"
        ),
    },
    "ja": {
        "message": "{layer} が {model} の呼び出しごとに作り直されます。重みは毎回乱数で、学習されません",
        "why": (
            "2 回の呼び出しで、この行の {layer} の重みは異なっていました。パラメータ ({count} 個) に勾配は届きますが、"
            "どのオプティマイザにも渡されず、層とともに捨てられます"
        ),
    },
}
