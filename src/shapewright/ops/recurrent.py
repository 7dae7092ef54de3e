"""Recurrent layers and their cells."""

from __future__ import annotations

from .call import Bound
from .table import teach


def _whole(call: Bound) -> str | None:
    """Steps and samples in the order that `batch_first` asks for; a packed sequence has no such axes."""
    first, packed = call.first, call.values.get("hx")
    if first is None or not call.is_tensor(first) or getattr(first, "kind", "") == "packed":
        return None
    if packed is not None and call.is_tensor(packed) and len(call.shape(packed)) == 1:
        return None
    batched = len(call.shape(first)) == 3
    order = ("samples steps" if call.get("batch_first") is True else "steps samples") if batched else "steps"
    state = "layers samples hidden" if batched else "layers hidden"
    states = f"{state}; {state}" if call.op.name == "lstm" else state
    return f"{order} features, {state} -> {order} outputs; {states}"


WHOLE = "input hx params has_biases num_layers dropout train bidirectional batch_first=False"
teach("lstm gru rnn_tanh rnn_relu", WHOLE, _whole, tags="recurrent learned steps_through")
CELL = "input hx w_ih w_hh b_ih=None b_hh=None"
teach(
    "gru_cell rnn_tanh_cell rnn_relu_cell",
    CELL,
    "samples? features, samples? hidden -> samples? hidden",
    tags="cells learned",
)
teach("lstm_cell", CELL, "samples? features, samples? hidden -> samples? hidden; samples? hidden", tags="cells learned")
