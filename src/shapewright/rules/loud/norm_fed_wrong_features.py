"""A normalization layer is given a different number of features than it was created for.

## What it finds
A failing batch, layer, group, instance or RMS norm: its feature axis (axis 1 for batch, group and instance norm of a
batch, the last ones for layer and RMS norm) has a different size from the layer's, or the input has a number of axes
that the layer does not take.

## Why it hurts
The script stops. Often `BatchNorm1d` follows a layer that works on (batch, time, features): batch norm reads axis 1 as
the features, and there time is on axis 1.

## Example
    norm = nn.BatchNorm1d(64)
    norm(regions)                                  # (batch, 36 regions, 64 features)

## Instead
    norm(regions.transpose(1, 2)).transpose(1, 2)

## Fix safety
Changing the layer's size instead may treat another axis as the features: check which axis holds them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ...ops.shapes import swapped_to_fit
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, range_text, refused, shape_text, spans

code = "SW114"


@refused(event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing norm and the axis on which it looks for its features."""
    given = call.tensor("input") or call.tensor("input1")
    if given is None and call.event is None:
        given = next((a for a in call.failure.module_args if isinstance(a, TensorFact) and a.shape is not None), None)
    kind = call.module.kind if call.module is not None and call.config("library") == "torch" else ""
    layer_entry = ops.layer(kind)
    ranks = layer_entry.ranks if layer_entry is not None and ops.is_a(layer_entry.op, "norms") else ()
    if given is None or not (ops.is_a(call.op, "norms") or ranks):
        return
    name = (
        "normalized_shape"
        if ops.is_a(call.op, "norms_last")
        else "num_channels"
        if call.op == "group_norm"
        else "num_features"
    )
    layer = origins.of_module(call.module, name) if kind else origins.of_axis(call.tensor("weight"), -1)
    labels = spans(Call(call.op, {given.name or "input": given}, call.site, call.failure, call.event, call.module))
    fields = {
        "layer": kind or call.op,
        "shape": shape_text(given.shape),
        "rank": len(given.shape),
        "wanted": "",
        "got": 0,
        "axis": 0,
        "where": 0,
        "ranks": "",
    }
    if ranks and len(given.shape) not in ranks:
        low, high = ranks[0], ranks[-1]
        yield Facts(
            call.site,
            "rank",
            "why_rank",
            fields | {"ranks": range_text(low, high)},
            blend(origins.of_rank(given), layer),
            spans=labels,
            remedy=misfit(call, "input", None, len(given.shape), high, problem="rank"),
        )
        return
    if ops.is_a(call.op, "norms_last"):
        wanted = call.named.get("normalized_shape")
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        if not all(isinstance(n, int) for n in wanted) or given.shape[-len(wanted) :] == wanted:
            return
        back = next(
            (b for b in range(-1, -len(wanted) - 1, -1) if -b > len(given.shape) or given.shape[b] != wanted[b]), -1
        )
        axis, size, goal = len(given.shape) + back, given.shape[back] if -back <= len(given.shape) else 0, wanted[back]
        text = shape_text(wanted) if len(wanted) > 1 else goal
    else:
        vector = call.tensor("running_mean") or call.tensor("weight")
        goal = (
            vector.shape[0]
            if vector is not None and vector.shape
            else call.config("num_features", call.config("num_channels"))
        )
        if len(given.shape) < 2 or goal is None:
            return
        alone = ranks and layer_entry.op == "instance_norm" and len(given.shape) == ranks[0]
        axis = 0 if alone else 1  # one sample without a batch axis
        size, text = given.shape[axis], goal
        if call.op == "group_norm" and size == goal and call.number("num_groups") and size % call.number("num_groups"):
            return
    if size == goal:
        return
    where = swapped_to_fit(given.shape, goal, axis)
    several = isinstance(text, str)
    why = "several" if several else "swapped" if where is not None and where != 0 else "why"
    got = shape_text(given.shape[-len(wanted) :]) if several else size
    yield Facts(
        call.site,
        "message",
        why,
        fields | {"wanted": text, "got": got, "axis": axis, "where": where or 0},
        blend(layer, origins.of_axis(given, axis)),
        spans=labels,
        remedy=misfit(call, "input", axis, size, goal, swap_with=where),
    )


MESSAGES = {
    "en": {
        "message": "{layer} expects features of size {wanted}, but got {got}",
        "why": "the layer reads axis {axis} of the input {shape} as the features",
        "swapped": (
            "the layer reads axis {axis} of the input {shape}, of size {got}, as the features; axis {where} has size "
            "{wanted}"
        ),
        "rank": "{layer} expects {ranks} axes, but the input {shape} has {rank}",
        "why_rank": "choose the 1d, 2d or 3d layer by the number of spatial axes",
        "several": "the input has shape {shape}; its last axes are read as the features",
    },
    "es": {
        "message": "{layer} espera características de tamaño {wanted}, pero recibe {got}",
        "why": "la capa lee el eje {axis} de la entrada {shape} como las características",
        "swapped": (
            "la capa lee el eje {axis} de la entrada {shape}, de tamaño {got}, como las características; el eje "
            "{where} tiene tamaño {wanted}"
        ),
        "rank": "{layer} espera {ranks} ejes, pero la entrada {shape} tiene {rank}",
        "why_rank": "hay que elegir la capa 1d, 2d o 3d según el número de ejes espaciales",
        "several": "la entrada tiene forma {shape}; sus últimos ejes se leen como las características",
    },
    "ja": {
        "message": "{layer} の入力の特徴のサイズは {wanted} のはずですが、{got} です",
        "why": "この層は入力 {shape} の軸 {axis} を特徴とみなします",
        "swapped": (
            "この層は入力 {shape} の軸 {axis} ({got}) を特徴とみなします。サイズが {wanted} なのは軸 {where} です"
        ),
        "rank": "{layer} の入力の軸の数は {ranks} のはずですが、入力 {shape} の軸は {rank} つです",
        "why_rank": "空間軸の数に合わせて 1d、2d、3d の層を選んでください",
        "several": "入力の形状は {shape} です。この層は最後の軸 (複数) を特徴とみなします",
    },
}
