"""Attention runs over the samples instead of over time.

## What it finds
An attention layer or a Transformer whose sequence axis is really the batch, proven by running the model again without
some samples.

## Why it hurts
The outputs for a sample depend on the other samples in the batch, and attention does not connect the steps of a
sequence.

## Example
    # nn.MultiheadAttention(64, 4) or nn.TransformerEncoderLayer(64, 4) given (batch, time, 64).

## Instead
    # batch_first=True, or x.transpose(0, 1) before and after the layer.

## Fix safety
Safe where the input is `(batch, time, features)`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import ATTENTION, constructed, evidence, mixed, numbers, severity, unplayed
from ...trace import Origin, Trace
from ..facts import Facts
from ..remedy import BatchFirst

code = "SW251"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in mixed(trace, "attention"):
        modules = answer.data.modules
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields=numbers(answer),
            origins=_origins(trace, modules),
            severity=severity(answer),
            remedy=BatchFirst(modules),
        )
    for event, batch in unplayed(trace, ATTENTION - {"scaled_dot_product_attention"}):
        yield Facts(
            event.site,
            why="named",
            fields={"batch": batch.size},
            origins=_origins(trace, event.modules),
            severity="warning",
            remedy=BatchFirst(event.modules),
        )


def _origins(trace: Trace, modules: tuple[int, ...]) -> tuple[Origin, ...]:
    """Where the layer and the torch modules around it were made."""
    ends = range(len(modules), 0, -1)
    return tuple(origin for end in ends for origin in constructed(trace, modules[:end]))


MESSAGES = {
    "en": {
        "message": "attention runs over the {batch} samples of the batch as if they were a sequence",
        "why": (
            "attention reads the batch axis as time; replacing sample 0 changed the outputs of other samples ("
            "{changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "attention reads the batch axis as time; when some samples are removed, the outputs of the others change"
        ),
        "named": (
            "axis 0 of the attention's input is the batch of the DataLoader, but attention reads axis 0 as time. A run "
            "with values (--engine live) can confirm this finding"
        ),
    },
    "es": {
        "message": "la atención recorre las {batch} muestras del lote como si fueran una secuencia",
        "why": (
            "la atención lee el eje del lote como el tiempo; al sustituir la muestra 0 cambiaron las salidas de otras "
            "muestras ({changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": (
            "la atención lee el eje del lote como el tiempo; al quitar algunas muestras cambian las salidas de "
            "las demás"
        ),
        "named": (
            "el eje 0 de la entrada de la atención es el lote del DataLoader, pero la atención lee el eje 0 como el "
            "tiempo. Una ejecución con valores, no solo con formas (--engine live), puede confirmar este hallazgo"
        ),
    },
    "ja": {
        "message": "アテンションがバッチの {batch} サンプルを、1 つの系列のように読んでいます",
        "why": (
            "アテンションがバッチ軸を時間軸として読みます。サンプル 0 を別のものに替えると、ほかの {of} 件中 {changed} "
            "件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": (
            "アテンションがバッチ軸を時間軸として読みます。一部のサンプルを除くと、残りのサンプルの出力が変わります"
        ),
        "named": (
            "アテンションの入力の軸 0 は DataLoader が作ったバッチですが、アテンションは軸 0 を時間軸として読みます。値"
            "を使った実行 (--engine live) で確認できます"
        ),
    },
}
