"""A recurrent layer is given a hidden state of a different shape from (layers · directions, batch, hidden).

## What it finds
A failing `nn.LSTM`, `nn.GRU` or `nn.RNN` whose `hx` does not fit its input: made for a fixed batch size and used with a
smaller last batch, made for a batch axis that the layer (without `batch_first`) takes for time, or without the factor
for layers and directions.

## Why it hurts
The script stops, often only at the end of the first epoch, at the last batch.

## Example
    h = net.init_hidden(batch_size)           # 64, but the last batch has 52 samples
    out, h = net(inputs, h)

## Instead
    h = net.init_hidden(inputs.size(0))

## Fix safety
Make the state for the batch at hand. A state carried over from a larger batch needs slicing to the smaller one, or the
loader `drop_last=True`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands, produced, tensors
from ...graph.origins import Origins, blend, distinct
from ...trace import TensorFact
from ..facts import Facts, Span
from ..failing import Call, misfit, refused, shape_text
from .recurrent_layer_fed_wrong_input import given_input, is_recurrent

code = "SW119"
aliases = ("hidden-state-of-other-shape",)


@refused(event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing recurrent layer, its state and the axis of the state that does not fit."""
    if not is_recurrent(call):
        return
    packed = _packed(call, origins)
    states = [part for part in tensors((call.failure.module_args[1:], call.failure.module_kwargs.get("hx")))]
    states = states if packed is not None else list(tensors(call.named.get("hx"))) or states
    given, samples = packed if packed is not None else (given_input(call), None)
    if given is None or not given.shape or not states or given.shape[-1] != call.config("input_size"):
        return
    if "Cell" in call.module.kind:
        wanted: tuple[int, ...] = (*given.shape[:-1], call.config("hidden_size"))
    else:
        wanted = wanted_state(call.module.config, given, samples)
    wrong = [state for state in states if state.shape != wanted]
    lstm = call.module.kind in ("LSTM", "LSTMCell")
    if call.config("proj_size"):
        wrong = []
    if not wrong:
        return
    state = wrong[0]
    axis = next((i for i in range(min(len(state.shape), len(wanted))) if state.shape[i] != wanted[i]), None)
    fields = {
        "layer": call.module.kind,
        "wanted": shape_text(wanted),
        "got": shape_text(state.shape),
        "input": shape_text(given.shape),
        "size": state.shape[axis] if axis is not None else len(state.shape),
        "batch": wanted[axis] if axis is not None else len(wanted),
        "direction": 2 if call.config("bidirectional") else 1,
        "layers": call.config("num_layers", 1),
    }
    layer = origins.of_module(call.module, "", "")
    other = given.shape[0 if not call.config("batch_first") else 1] if len(given.shape) == 3 else 0
    layout = (
        len(given.shape) == 3
        and len(state.shape) == 3
        and axis == 1
        and state.shape[1] == given.shape[1 if not call.config("batch_first") else 0]
    )
    labels = (
        Span(call.site, f"input {shape_text(given.shape)}"),
        Span(call.site, f"{state.name or 'hx'} {shape_text(state.shape)}"),
    )
    data = misfit(
        call,
        "hx",
        axis,
        fields["size"],
        fields["batch"],
        wanted_shape=wanted,
        state=state.shape,
        layout=layout,
        lstm=lstm,
    )
    if "Cell" in call.module.kind and axis == 0 and len(wanted) == len(state.shape) == 2:
        why, chain = "why", [origins.of_axis(given, 0), _made(origins, state, 0)]
    elif len(state.shape) != len(wanted):
        why, chain = "rank", [origins.of_rank(state)]
    elif layout or (axis == 1 and state.shape[1] == other):
        why, chain = "layout", [layer, _made(origins, state, 1), origins.of_axis(given, 0)]
    elif axis == len(wanted) - 1:
        why, chain = "hidden", [_made(origins, state, axis), origins.of_module(call.module, "hidden_size")]
    elif axis == 1:
        why, chain = "why", [_made(origins, state, 1), origins.of_axis(given, 0 if call.config("batch_first") else 1)]
    else:
        why, chain = "layers", [_made(origins, state, 0), origins.of_module(call.module, "num_layers")]
    yield Facts(call.site, "message", why, fields, blend(*chain), spans=labels, remedy=data)


def _made(origins: Origins, state: TensorFact, axis: int) -> list:
    """Where the state was made, and who asked for it."""
    event = origins.producer(state)
    chain = origins.of_axis(state, axis)
    callers = origins.callers(event.stack) if event is not None else []
    return distinct([*chain[:1], *callers[:1], *chain[1:]])


def _packed(call: Call, origins: Origins) -> tuple[TensorFact, int] | None:
    """Of a packed input what it was packed from, and how many samples it has; none where the input is not packed."""
    first = next(iter(call.failure.module_args), None)
    made = produced(origins.trace, first[0]) if isinstance(first, tuple) and len(first) == 4 else None
    given = operands(made) if made is not None else []
    return (given[0], given[1].sizes[0]) if len(given) > 1 and given[1].rank == 1 else None


def wanted_state(config: dict, given: TensorFact, samples: int | None = None) -> tuple[int, ...]:
    """The shape of `h_0` for an input, or for so many packed `samples`. (PyTorch documentation of `LSTM`.)"""
    layers = config.get("num_layers", 1) * (2 if config.get("bidirectional") else 1)
    if samples is not None:
        return layers, samples, config["hidden_size"]
    if len(given.shape) == 2:
        return layers, config["hidden_size"]
    return layers, given.shape[0 if config.get("batch_first") else 1], config["hidden_size"]


MESSAGES = {
    "en": {
        "message": "{layer} expects a state (hx) of shape {wanted} for this input, but got {got}",
        "why": "the state is for batch size {size}, but the input {input} has batch size {batch}",
        "layout": (
            "the layer reads batch size {batch} from the input {input}, but the state is for batch size {size}: the "
            "batch and time axes seem to be swapped in one of them"
        ),
        "layers": (
            "the first axis of the state must have size layers × directions = {layers} × {direction}, but has size "
            "{size}"
        ),
        "hidden": "the last axis of the state must have size hidden_size={batch}, but has size {size}",
        "rank": "the state must have the same number of axes as {wanted}",
    },
    "es": {
        "message": "{layer} espera para esta entrada un estado (hx) de forma {wanted}, pero recibe {got}",
        "why": "el estado es para un lote de tamaño {size}, pero la entrada {input} tiene un lote de tamaño {batch}",
        "layout": (
            "la capa lee en la entrada {input} un tamaño de lote de {batch}, pero el estado es para un lote de tamaño "
            "{size}: en uno de los dos, los ejes de lote y tiempo parecen intercambiados"
        ),
        "layers": (
            "el primer eje del estado debe tener tamaño capas × direcciones = {layers} × {direction}, pero tiene {size}"
        ),
        "hidden": "el último eje del estado debe tener tamaño hidden_size={batch}, pero tiene {size}",
        "rank": "el estado debe tener tantos ejes como {wanted}",
    },
    "ja": {
        "message": "この入力に対する {layer} の状態 (hx) の形状は {wanted} のはずですが、{got} が渡されました",
        "why": "状態はバッチサイズ {size} 用ですが、入力 {input} のバッチサイズは {batch} です",
        "layout": (
            "層は入力 {input} のバッチサイズを {batch} と読みますが、状態はバッチサイズ {size} 用です。"
            "どちらかでバッチ軸と時間軸が入れ替わっているようです"
        ),
        "layers": "状態の最初の軸のサイズは 層数 × 方向数 = {layers} × {direction} でなければなりませんが、{size} です",
        "hidden": "状態の最後の軸のサイズは hidden_size={batch} でなければなりませんが、{size} です",
        "rank": "状態には {wanted} と同じ数の軸が必要です",
    },
}
