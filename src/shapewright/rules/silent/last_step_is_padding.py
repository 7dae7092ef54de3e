"""The last step of a padded batch is read, and for the shorter sequences it is padding.

## What it finds
`out[:, -1]`, or the final state of a recurrent net that ran on over the padding, where the batch is padded at the end.
It is proven by running one sample with and without its padding.

## Why it hurts
The output for a short sequence is taken after its padding, so the same sequence gives different outputs alone and in a
batch.

## Example
    # last = out[:, -1] after pad_sequence(..., batch_first=True).

## Instead
    # out[torch.arange(len(lengths)), lengths - 1], or pack_padded_sequence and its final state.

## Fix safety
Safe where `lengths` counts the real steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import RECURRENT, padded, padding_numbers, padding_origins
from ...trace import Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import HidePadding

code = "SW256"


def check(trace: Trace) -> Iterator[Facts]:
    for kind, answer in padded(trace, "last", "reverse"):
        yield Facts(
            answer.site,
            message="reverse" if kind == "reverse" else "state" if answer.data.op in RECURRENT else "message",
            fields=padding_numbers(trace, answer) | {"op": answer.data.op.upper()},
            origins=padding_origins(trace, answer),
            severity="warning" if kind == "reverse" else "error",
            cause=(Shared.PADDING, answer.module),
            remedy=HidePadding("last"),
        )


MESSAGES = {
    "en": {
        "message": "`{source}` reads the last step, which is padding in the shorter sequences",
        "state": "the final state of {op} is computed after the padding in the shorter sequences",
        "reverse": "the backward direction of {op} starts in the padding of the shorter sequences",
        "why": (
            "for a sequence of length {length}, the output of {model} is {together} if the sequence is padded to "
            "{padded}, and {alone} if the padding is removed or replaced (outputs change by up to {largest})"
        ),
    },
    "es": {
        "message": "`{source}` lee el último paso, que es relleno en las secuencias más cortas",
        "state": "el estado final de {op} se calcula después del relleno en las secuencias más cortas",
        "reverse": "la dirección inversa de {op} empieza en el relleno de las secuencias más cortas",
        "why": (
            "con una secuencia de longitud {length}, la salida de {model} es {together} si se rellena hasta {padded}, "
            "y {alone} si se quita o se sustituye el relleno (diferencia máxima entre salidas: {largest})"
        ),
    },
    "ja": {
        "message": "`{source}` が読む最後のステップは、短い系列ではパディングです",
        "state": "{op} の最終状態は、短い系列ではパディングを読み終えた後の状態です",
        "reverse": "短い系列では、{op} の逆方向がパディングから始まっています",
        "why": (
            "長さ {length} の系列に対する {model} の出力は、{padded} までパディングすると {together}、パディングを除く"
            "か置き換えると {alone} です (出力の差は最大 {largest})"
        ),
    },
}
