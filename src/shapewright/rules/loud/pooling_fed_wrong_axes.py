"""A pooling or upsampling layer is given a tensor with too few or too many axes.

## What it finds
A failing pooling or `interpolate` whose input does not have the batch, channel and spatial axes
that the call takes.

## Why it hurts
The script stops. Often the tensor was flattened before, or its batch or channel axis is missing.

## Example
    x = features.flatten(1)
    x = nn.MaxPool2d(2)(x)

## Instead
    x = nn.MaxPool2d(2)(features).flatten(1)

## Fix safety
With the pooling before the flattening, the next layer may get a different width.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, range_text, refused, shape_text, spans

code = "SW113"

MODES = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


@refused(event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing call, the ranks that it takes and the one it got."""
    values = call.event.args if call.event is not None else call.failure.module_args
    given = next((a for a in values if isinstance(a, TensorFact) and a.shape is not None), None)
    spatial = _spatial(call)
    if given is None or spatial is None:
        return
    low, high = (spatial + 2 if ops.is_a(call.op, "interpolates") else spatial + 1), spatial + 2
    rank = len(given.shape)
    if low <= rank <= high:
        return
    yield Facts(
        call.site,
        "message",
        "why" if rank > high else "flat" if low < high else "batched",
        {
            "layer": call.module.kind if call.module and call.config("library") == "torch" else call.op,
            "shape": shape_text(given.shape),
            "rank": rank,
            "ranks": range_text(low, high),
            "spatial": spatial,
        },
        blend(
            origins.of_rank(given),
            origins.of_module(call.module) if call.module and call.config("library") == "torch" else [],
        ),
        spans=spans(Call(call.op, {"input": given}, call.site, call.failure, call.event, call.module)),
        remedy=misfit(call, "input", None, rank, high),
    )


def _spatial(call: Call) -> int | None:
    """How many spatial axes the call works on."""
    name = call.op.lower()
    if "pool" in name or name.startswith("boolean_dispatch"):
        digits = [
            c
            for c in (
                call.module.kind
                if call.module and call.config("library") == "torch" and "Pool" in call.module.kind
                else name
            )
            if c in "123"
        ]
        return int(digits[-1]) if digits else None
    if ops.is_a(name, "interpolates"):
        return MODES.get(call.named.get("mode", ""))
    return None


MESSAGES = {
    "en": {
        "message": "{layer} expects {ranks} axes, but the input {shape} has {rank}",
        "why": "the input has more axes than batch, channels and the spatial axes (number of spatial axes: {spatial})",
        "flat": (
            "the input has too few axes: a channel axis and the spatial axes (number: {spatial}) are expected, with or "
            "without a batch axis in front"
        ),
        "batched": (
            "the input has too few axes: a batch axis, a channel axis and the spatial axes (number: {spatial}) are "
            "expected"
        ),
    },
    "es": {
        "message": "{layer} espera {ranks} ejes, pero la entrada {shape} tiene {rank}",
        "why": (
            "la entrada tiene más ejes que los esperados: lote, canales y ejes espaciales (número de ejes espaciales: "
            "{spatial})"
        ),
        "flat": (
            "la entrada tiene menos ejes que los esperados: un eje de canales y los ejes espaciales (número: "
            "{spatial}), con o sin eje de lote delante"
        ),
        "batched": (
            "la entrada tiene menos ejes que los esperados: un eje de lote, uno de canales y los ejes espaciales "
            "(número: {spatial})"
        ),
    },
    "ja": {
        "message": "{layer} の入力の軸の数は {ranks} のはずですが、入力 {shape} の軸は {rank} つです",
        "why": "入力の軸が多すぎます。使える軸は、多くてもバッチ、チャネル、空間軸 {spatial} つまでです",
        "flat": (
            "入力の軸が足りません。チャネル軸と空間軸 {spatial} つが必要です。その前のバッチ軸はあってもなくてもかまい"
            "ません"
        ),
        "batched": "入力の軸が足りません。バッチ軸、チャネル軸、空間軸 {spatial} つが必要です",
    },
}
