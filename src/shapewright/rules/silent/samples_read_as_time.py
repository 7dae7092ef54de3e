"""A recurrent layer reads the samples of the batch as time steps.

## What it finds
`nn.LSTM`, `nn.GRU` or `nn.RNN` whose time axis is really the batch. It is proven by running the model again without
some samples: the others' outputs change.

## Why it hurts
The state passes from sample to sample, so the outputs of a sample depend on other samples in the batch, and the layer
reads the true time axis as the batch. The loss can still fall.

## Example
    # nn.LSTM(32, 64) given (batch, time, 32).

## Instead
    # nn.LSTM(32, 64, batch_first=True), or x.transpose(0, 1) before the call.

## Fix safety
Safe where the input is `(batch, time, features)`; what is read from the output afterwards (`out[:, -1]`) must mean
time.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import RECURRENT, constructed, evidence, made, mixed, numbers, severity, unplayed
from ...trace import Trace
from ..facts import Facts
from ..remedy import BatchFirst

code = "SW250"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "recurrent"):
        module = trace.modules.get((answer.data.modules or (-1,))[-1])
        layer = module.kind if module is not None and module.is_torch else answer.data.op.upper()
        first = bool(module.config.get("batch_first")) if module is not None else False
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields={"layer": layer, "flag": f"batch_first={first}", **numbers(answer)},
            origins=made(trace, answer),
            severity=severity(answer),
            remedy=BatchFirst((module.uid,) if module else ()),
        )
    for event, batch in unplayed(trace, RECURRENT):
        module = trace.modules[event.modules[-1]]
        yield Facts(
            event.site,
            why="named",
            fields={"layer": module.kind, "flag": "batch_first=False", "batch": batch.size},
            origins=constructed(trace, event.modules),
            severity="warning",
            remedy=BatchFirst((module.uid,)),
        )


MESSAGES = {
    "en": {
        "message": "{layer} runs over the {batch} samples of the batch as if they were time steps",
        "why": (
            "with {flag} the layer reads the batch axis as time; replacing sample 0 changed the outputs of other "
            "samples ({changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "with {flag} the layer reads the batch axis as time; when some samples are removed, the outputs of the "
            "others change"
        ),
        "named": (
            "with {flag} the layer reads axis 0 as time, but axis 0 is the batch of the DataLoader. A run with values "
            "(--engine live) can confirm this finding"
        ),
    },
    "es": {
        "message": "{layer} recorre las {batch} muestras del lote como si fueran pasos de tiempo",
        "why": (
            "con {flag} la capa lee el eje del lote como el tiempo; al sustituir la muestra 0 cambiaron las salidas de "
            "otras muestras ({changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": (
            "con {flag} la capa lee el eje del lote como el tiempo; al quitar algunas muestras cambian las salidas "
            "de las demás"
        ),
        "named": (
            "con {flag} la capa lee el eje 0 como el tiempo, pero el eje 0 es el lote del DataLoader. Una ejecución "
            "con valores, no solo con formas (--engine live), puede confirmar este hallazgo"
        ),
    },
    "ja": {
        "message": "{layer} がバッチの {batch} サンプルを、時間ステップのように読んでいます",
        "why": (
            "{flag} のためバッチ軸が時間軸として扱われます。サンプル 0 を別のものに替えると、ほかの {of} 件中 "
            "{changed} 件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": (
            "{flag} のためバッチ軸が時間軸として扱われます。一部のサンプルを除くと、残りのサンプルの出力が変わります"
        ),
        "named": (
            "{flag} のため軸 0 が時間軸として読まれますが、軸 0 は DataLoader が作ったバッチです。値を使った実行 "
            "(--engine live) で確認できます"
        ),
    },
}
