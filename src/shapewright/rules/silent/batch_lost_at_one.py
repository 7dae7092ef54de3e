"""A `squeeze()` removes the batch axis when there is one sample.

## What it finds
A model whose output loses its batch axis for a single sample, because `squeeze()` without an axis drops every axis of
size one. Where the run has a single sample (a last batch of one, or inference) it is a warning, otherwise a remark.

## Why it hurts
The output of one sample no longer lines up with its target: it may broadcast, or a later line may fail.

## Example
    return self.head(x).squeeze()

## Instead
    return self.head(x).squeeze(-1)

## Fix safety
Safe where the named axis is the one to remove.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import shown
from ...graph.probed import line_of
from ...trace import BatchOfOne, Trace
from ..facts import Facts
from ..remedy import NameAxis

code = "SW262"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(BatchOfOne):
        data = answer.data
        if answer.site is None or not data.op.startswith("squeeze"):
            continue
        yield Facts(
            answer.site,
            why="met" if data.met else "why",
            fields={
                "source": line_of(trace, answer.site),
                "model": data.model,
                "whole": shown(data.whole),
                "alone": shown(data.alone),
            },
            severity="warning" if data.met else "remark",
            remedy=NameAxis(),
        )


MESSAGES = {
    "en": {
        "message": "`{source}` removes the batch axis when there is only one sample",
        "why": (
            "the output of {model} has shape {whole} for two samples and {alone} for one; this run had no batch of "
            "one sample"
        ),
        "met": (
            "the output of {model} has shape {whole} for two samples and {alone} for one; this run had a batch of one "
            "sample"
        ),
    },
    "es": {
        "message": "`{source}` elimina el eje del lote cuando hay una sola muestra",
        "why": (
            "la salida de {model} tiene forma {whole} con dos muestras y {alone} con una sola; en esta ejecución no "
            "hubo ningún lote de una sola muestra"
        ),
        "met": (
            "la salida de {model} tiene forma {whole} con dos muestras y {alone} con una sola; en esta ejecución hubo "
            "un lote de una sola muestra"
        ),
    },
    "ja": {
        "message": "サンプルが 1 件だけのとき `{source}` がバッチ軸まで消します",
        "why": (
            "{model} の出力の形状は 2 件なら {whole}、1 件なら {alone} です。今回の実行では 1 "
            "件だけのバッチはありませんでした"
        ),
        "met": (
            "{model} の出力の形状は 2 件なら {whole}、1 件なら {alone} です。今回の実行では実際に 1 "
            "件だけのバッチが渡されました"
        ),
    },
}
