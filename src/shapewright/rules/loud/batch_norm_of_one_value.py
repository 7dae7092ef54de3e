"""Batch norm in training is given one value per channel.

## What it finds
A failing batch (or instance) norm whose input has a single value for each channel: a last batch of one
sample, or 1 × 1 maps of one image.

## Why it hurts
The script stops, often at the end of an epoch: a single value per channel equals its own mean, so nothing is left
after normalization, and PyTorch refuses it.

## Example
    loader = DataLoader(data, batch_size=32)            # 129 samples: the last batch has one

## Instead
    loader = DataLoader(data, batch_size=32, drop_last=True)

## Fix safety
`drop_last=True` skips the incomplete last batch of each epoch. In evaluation, batch norm with running statistics (the
default) needs `model.eval()` instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ...ops.shapes import elements
from ...trace import Origin
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW115"


@refused("tracks", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing batch norm whose statistics would be over a single value."""
    given = call.tensor("input")
    if (
        given is None
        or len(given.shape) < 2
        or not call.named.get("training", call.named.get("use_input_stats", False))
    ):
        return
    count = elements(given.shape[2:]) * (given.shape[0] if call.op == "batch_norm" else 1)
    if count != 1:
        return
    loader = [
        Origin(a.origin.kind, a.origin.note, a.origin.site, a.origin.stack, str(a.size))
        for a in given.axes[:1]
        if a.origin is not None and a.origin.site is not None and a.origin.kind in ("loader", "index")
    ]
    modes = [
        Origin("call", origins.source.site_text(step.site), step.site)
        for step in origins.trace.steps
        if step.kind == "train" and step.site is not None
    ][-1:]
    built = call.layer
    whole = call.op == "batch_norm"
    yield Facts(
        call.site,
        "message" if whole else "alone",
        "why",
        fields={"layer": built.kind if built else call.op, "shape": shape_text(given.shape), "size": given.shape[0]},
        origins=blend(loader, origins.of_axis(given, 0), origins.of_module(built), modes),
        spans=spans(call, "input"),
        remedy=misfit(call, "input", 0, given.shape[0], 2),
    )


MESSAGES = {
    "en": {
        "message": "{layer} gets only one value per channel to compute its batch statistics from",
        "alone": "{layer} gets only one value per sample and channel to normalize",
        "why": "the input has shape {shape}; a single value equals its own mean, so normalization would always give 0",
    },
    "es": {
        "message": "{layer} solo recibe un valor por canal para calcular las estadísticas del lote",
        "alone": "{layer} solo recibe un valor por muestra y canal para normalizar",
        "why": (
            "la entrada tiene forma {shape}; un solo valor es igual a su propia media, así que la normalización daría "
            "siempre 0"
        ),
    },
    "ja": {
        "message": "{layer} がバッチ統計の計算に使える値は、チャネルごとに 1 つしかありません",
        "alone": "{layer} が正規化に使える値は、サンプルとチャネルごとに 1 つしかありません",
        "why": "入力の形状は {shape} です。値が 1 つだけなら平均と等しいので、正規化の結果は必ず 0 になります",
    },
}
