"""A convolution's or pooling's window is larger than what is left of its input.

## What it finds
A failing convolution or pooling whose kernel does not fit into the (padded) input.

## Why it hurts
The script stops. Often the images or sequences are smaller than those the network was built for, or there is one
pooling too many.

## Example
    nn.Sequential(*[block() for _ in range(6)])      # six halvings of a 28 x 28 picture

## Instead
    four blocks, or AdaptiveAvgPool2d at the end

## Fix safety
Padding keeps the network running, but part of what it then sees is padding.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import convolved, pair
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW112"


@refused()
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing layer, its window and the axis that is too short."""
    given = call.tensor("input") or next((a for a in call.event.args if getattr(a, "shape", None) is not None), None)
    window = _window(call)
    if given is None or window is None or len(given.shape) < window[0] + 1:
        return
    spatial, kernel, stride, padding, dilation = window
    for back in range(-spatial, 0):
        size = given.shape[back]
        if convolved(size, kernel[back], max(1, stride[back]), padding[back], dilation[back]) < 1:
            built = call.layer
            yield Facts(
                call.site,
                "message",
                "empty" if size == 0 else "why",
                {
                    "layer": built.kind if built else call.op,
                    "kernel": kernel[back],
                    "size": size,
                    "padded": size + 2 * padding[back],
                    "axis": len(given.shape) + back,
                    "shape": shape_text(given.shape),
                    "reach": dilation[back] * (kernel[back] - 1) + 1,
                },
                blend(origins.of_axis(given, back), origins.of_module(built, "kernel_size")),
                spans=spans(Call(call.op, {"input": given}, call.site, call.failure, call.event, call.module)),
                remedy=misfit(call, "input", back, size, kernel[back], problem="window"),
            )
            return


def _window(call: Call) -> tuple | None:
    """`(spatial axes, kernel, stride, padding, dilation)` of the call."""
    op = call.op
    if ops.is_a(op, "correlates"):
        weight = call.tensor("weight")
        if weight is None or not isinstance(call.named.get("padding", 0), (int, tuple)):
            return None
        n = len(weight.shape) - 2
        return (
            n,
            weight.shape[2:],
            pair(call.named.get("stride", 1), n),
            pair(call.named.get("padding", 0), n, 0),
            pair(call.named.get("dilation", 1), n),
        )
    if op.startswith(("max_pool", "avg_pool", "lp_pool", "boolean_dispatch")):
        kernel = call.named.get("kernel_size", call.event.args[1] if len(call.event.args) > 1 else None)
        n = next((int(c) for c in op if c.isdigit()), 2)
        if kernel is None:
            return None
        kernel = pair(kernel, n)
        stride = call.named.get("stride", call.event.args[2] if len(call.event.args) > 2 else None)
        padding = call.named.get("padding", call.event.args[3] if len(call.event.args) > 3 else 0)
        return (
            n,
            kernel,
            pair(stride, n) if stride else kernel,
            pair(padding, n, 0),
            pair(call.named.get("dilation", 1), n),
        )
    return None


MESSAGES = {
    "en": {
        "message": "{layer} has a window of {reach}, but axis {axis} of the input has size {size}",
        "why": (
            "axis {axis} of the input {shape} has size {padded} including padding, so a window of {reach} does not fit"
        ),
        "empty": (
            "axis {axis} of the input {shape} has size 0; with padding it has size {padded}, so a window of {reach} "
            "does not fit"
        ),
    },
    "es": {
        "message": "{layer} tiene una ventana de {reach}, pero el eje {axis} de la entrada tiene tamaño {size}",
        "why": (
            "el eje {axis} de la entrada {shape} tiene tamaño {padded} contando el relleno, así que una ventana de "
            "{reach} no cabe"
        ),
        "empty": (
            "el eje {axis} de la entrada {shape} tiene tamaño 0; con el relleno tiene tamaño {padded}, así que una "
            "ventana de {reach} no cabe"
        ),
    },
    "ja": {
        "message": "{layer} の窓は {reach} ですが、入力の軸 {axis} のサイズは {size} です",
        "why": "入力 {shape} の軸 {axis} のサイズはパディング込みで {padded} なので、サイズ {reach} の窓は収まりません",
        "empty": (
            "入力 {shape} の軸 {axis} はサイズ 0 です。パディング後のサイズは {padded} なので、サイズ {reach} "
            "の窓は収まりません"
        ),
    },
}
