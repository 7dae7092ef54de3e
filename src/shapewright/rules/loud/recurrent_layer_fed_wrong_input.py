"""A recurrent layer is given input of another width or a different number of axes than it was created for.

## What it finds
A failing `nn.LSTM`, `nn.GRU`, `nn.RNN` (or one of their cells) whose input's last axis is not `input_size`, or whose
input does not have two or three axes (for a cell one or two).

## Why it hurts
The script stops. Often features were joined to the input after the layer was sized, axes were permuted wrongly, or an
axis is missing.

## Example
    rnn = nn.GRU(input_size=8, hidden_size=32, batch_first=True)
    rnn(torch.cat([lags, calendar], dim=-1))       # 8 + 3 features

## Instead
    rnn = nn.GRU(input_size=8 + 3, hidden_size=32, batch_first=True)

## Fix safety
Changing `input_size` changes the weights' shape; a permute changes which axis is time, so look at `batch_first` too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ... import ops
from ...graph.flow import tensors
from ...graph.origins import Origins, blend
from ...ops.shapes import swapped_to_fit
from ...trace import TensorFact
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW118"


def is_recurrent(call: Call) -> bool:
    """Whether the failing call is a recurrent layer's or cell's."""
    if call.config("input_size") is None:
        return False
    layer = ops.layer_of(call.module.kind, call.module.config)
    return any(ops.is_a(op, "recurrent", "cells") for op in (call.op, layer.op if layer is not None else ""))


def given_input(call: Call) -> TensorFact | None:
    """The layer's input: by name, else the first tensor given to the module."""
    own = call.event is None or ops.is_a(call.op, "recurrent", "cells")  # not a call within the layer
    named = call.tensor("input") or call.tensor("input1") if own else None
    return named or next((part for part in tensors(call.failure.module_args) if part.shape is not None), None)


@refused(event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing recurrent layer, where the width or the rank of its input is wrong."""
    if not is_recurrent(call):
        return
    given = given_input(call)
    wanted = call.config("input_size")
    if given is None or not isinstance(wanted, int):
        return
    cell = "Cell" in call.module.kind
    ranks = (1, 2) if cell else (2, 3)
    fields = {
        "layer": call.module.kind,
        "wanted": wanted,
        "got": given.shape[-1] if given.shape else 0,
        "shape": shape_text(given.shape),
        "rank": len(given.shape),
        "axis": 0,
        "low": ranks[0],
        "high": ranks[1],
    }
    layer = origins.of_module(call.module, "input_size", str(wanted))
    labels = spans(Call(call.op, {"input": given}, call.site, call.failure, call.event, call.module))
    data = misfit(call, "input", -1, fields["got"], wanted, shape=given.shape)
    if len(given.shape) not in ranks and given.kind != "packed":
        yield Facts(
            call.site,
            "rank",
            "why_cell" if cell else "why_rank",
            fields,
            blend(origins.of_rank(given), layer),
            spans=labels,
            remedy=replace(data, problem="rank"),
        )
    elif given.shape and given.shape[-1] != wanted:
        axis = swapped_to_fit(given.shape, wanted, -1)
        yield Facts(
            call.site,
            "message",
            "swapped" if axis is not None else "why",
            fields | {"axis": axis or 0},
            blend(origins.of_move(given) if axis is not None else [], layer, origins.of_axis(given, -1)),
            spans=labels,
            remedy=replace(data, swap_with=axis),
        )


MESSAGES = {
    "en": {
        "message": "{layer} expects input_size={wanted} features per step, but got {got}",
        "why": "the last axis of the input {shape} must have size input_size={wanted}, but has size {got}",
        "swapped": "the last axis of the input {shape} has size {got}; axis {axis} has the expected {wanted}",
        "rank": "{layer} expects an input with {low} or {high} axes, but got {rank}",
        "why_cell": (
            "the input has shape {shape}: a recurrent cell expects (batch, features), or (features,) for one sample"
        ),
        "why_rank": "the input has shape {shape}: the last axis must be the features, with time (and batch) before it",
    },
    "es": {
        "message": "{layer} espera input_size={wanted} características por paso, pero recibe {got}",
        "why": "el último eje de la entrada {shape} debe tener tamaño input_size={wanted}, pero tiene tamaño {got}",
        "swapped": (
            "el último eje de la entrada {shape} tiene tamaño {got}; el eje {axis} tiene el tamaño esperado, {wanted}"
        ),
        "rank": "{layer} espera una entrada de {low} o {high} ejes, pero recibe {rank}",
        "why_cell": (
            "la entrada tiene forma {shape}: una celda recurrente espera (lote, características), o (características,) "
            "para una muestra"
        ),
        "why_rank": (
            "la entrada tiene forma {shape}: el último eje debe ser el de características, y delante van el tiempo (y "
            "el lote)"
        ),
    },
    "ja": {
        "message": "{layer} の入力の特徴は 1 ステップあたり input_size={wanted} 個のはずですが、{got} 個です",
        "why": "入力 {shape} の最後の軸のサイズは input_size={wanted} でなければなりませんが、{got} です",
        "swapped": "入力 {shape} の最後の軸のサイズは {got} です。サイズが {wanted} なのは軸 {axis} です",
        "rank": "{layer} の入力の軸は {low} つか {high} つのはずですが、{rank} つです",
        "why_cell": "入力の形状は {shape} です。セルの入力は (バッチ, 特徴)、1 サンプルなら (特徴,) です",
        "why_rank": "入力の形状は {shape} です。最後の軸が特徴、その前が時間 (とバッチ) でなければなりません",
    },
}
