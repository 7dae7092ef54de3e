"""A convolution is given a different number of channels, or of axes, than it was created for.

## What it finds
A failing `Conv1d/2d/3d` or `ConvTranspose1d/2d/3d` whose input has a different channel count than the weight, or lacks
its batch or channel axis.

## Why it hurts
The script stops. Typical causes: grayscale images for a color network, images with their channels last, sequences as
`(batch, time, features)`.

## Example
    conv = nn.Conv1d(16, 32, 3)
    conv(sequence)                         # (batch, time=50, features=16)

## Instead
    conv(sequence.transpose(1, 2))         # (batch, features, time)

## Fix safety
Changing `in_channels` changes the weight's shape; swapping axes does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import swapped_to_fit
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW111"


@refused("convolves", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing convolution, its weight and the channel axis of its input."""
    found = call.violated
    if found is None or found.operand != "input":
        return
    given, weight = call.tensor("input"), call.tensor("weight")
    if given is None or weight is None or len(weight.shape) < 3:
        return
    spatial = len(weight.shape) - 2
    groups = call.number("groups", 1)
    wanted = weight.shape[0] if ops.is_a(call.op, "transposes") else weight.shape[1] * groups
    built = call.layer
    layer = origins.of_module(built, "in_channels", str(wanted)) if built else origins.of_axis(weight, 1)
    fields = {
        "layer": built.kind if built else call.op,
        "wanted": wanted,
        "got": 0,
        "shape": shape_text(given.shape),
        "rank": len(given.shape),
        "axis": 0,
        "low": spatial + 1,
        "high": spatial + 2,
        "groups": groups,
    }
    if found.axis < 0:
        more = len(given.shape) > spatial + 2
        yield Facts(
            call.site,
            "rank",
            "why_rank" if more else "flat",
            fields,
            blend(origins.callers(call.stack)[:2] if more else [], origins.of_rank(given), layer),
            spans=spans(call, "input", "weight"),
            remedy=misfit(call, "input", None, len(given.shape), spatial + 2, problem="rank"),
        )
        return
    channel, got = found.axis, found.size
    axis = swapped_to_fit(given.shape, wanted, channel)
    behind = [at for at, size in enumerate(given.shape) if at and at != channel and size == wanted]
    if axis == 0 < channel and len(behind) == 1:
        axis = behind[0]  # as many samples as channels: the samples are first wherever the channels are
    elif given.shape.count(wanted) > 1:
        axis = None
    if len(given.axes) > channel and given.axes[channel].role == "channel":
        axis = None  # channels that a convolution made are channels: the number is wrong, not the order
    missing = len(given.shape) == spatial + 1 and wanted == 1
    why = "missing" if missing else "swapped" if axis is not None and axis > channel else "why"
    yield Facts(
        call.site,
        "message",
        why,
        fields | {"got": got, "axis": axis or 0},
        blend(layer, [*origins.of_axis(given, channel)], origins.of_rank(given) if missing or why == "why" else []),
        spans=spans(call, "input", "weight"),
        remedy=misfit(call, "input", channel, got, wanted, swap_with=axis),
    )


MESSAGES = {
    "en": {
        "message": "{layer} expects a channel axis of size {wanted}, but got size {got}",
        "why": "the channel axis of the input {shape} must have size {wanted} to match the weight",
        "swapped": (
            "the convolution reads the axis before the spatial axes as channels; in the input {shape} this axis has "
            "size {got}, and axis {axis} has size {wanted}"
        ),
        "missing": "the input {shape} seems to have no channel axis: its first axis is read as channels",
        "rank": "{layer} expects an input with {low} or {high} axes, but got {rank}",
        "why_rank": "the input {shape} has more axes than batch, channels and the spatial axes",
        "flat": (
            "the input {shape} has too few axes: a channel axis and the spatial axes are expected, with or without a "
            "batch axis in front"
        ),
    },
    "es": {
        "message": "{layer} espera un eje de canales de tamaño {wanted}, pero recibe uno de tamaño {got}",
        "why": "el eje de canales de la entrada {shape} debe tener tamaño {wanted} para encajar con el peso",
        "swapped": (
            "la convolución lee como canales el eje anterior a los ejes espaciales; en la entrada {shape} ese eje "
            "tiene tamaño {got}, y el eje {axis} tiene tamaño {wanted}"
        ),
        "missing": "la entrada {shape} parece no tener eje de canales: su primer eje se lee como canales",
        "rank": "{layer} espera una entrada de {low} o {high} ejes, pero recibe {rank}",
        "why_rank": "la entrada {shape} tiene más ejes que los esperados: lote, canales y ejes espaciales",
        "flat": (
            "la entrada {shape} tiene menos ejes que los esperados: un eje de canales y los ejes espaciales, con o sin "
            "eje de lote delante"
        ),
    },
    "ja": {
        "message": "{layer} の入力のチャネル数は {wanted} のはずですが、{got} です",
        "why": "入力 {shape} のチャネル軸のサイズは、重みに合わせて {wanted} でなければなりません",
        "swapped": (
            "畳み込みは空間軸の直前の軸をチャネルとみなします。入力 {shape} ではその軸のサイズが {got} で、サイズが "
            "{wanted} なのは軸 {axis} です"
        ),
        "missing": "入力 {shape} にはチャネル軸がないようです。最初の軸がチャネルとして読まれています",
        "rank": "{layer} の入力の軸は {low} つか {high} つのはずですが、{rank} つです",
        "why_rank": "入力 {shape} には、バッチ軸、チャネル軸、空間軸のほかにも軸があります",
        "flat": (
            "入力 {shape} は軸が足りません。チャネル軸と空間軸がこの順に必要です。"
            "その前のバッチ軸はあってもなくてもかまいません"
        ),
    },
}
