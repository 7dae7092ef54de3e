"""A recurrent layer reads time as features: the vocabulary axis of its one-hot input is not the last axis.

## What it finds
`LSTM`, `GRU` or `RNN` given one-hot data (0 and 1 only) in which exactly one value is 1 along an axis other than the
last, and not along the last: the vocabulary is where the layer reads time or samples, and time where it reads features.

## Why it hurts
It runs where the last axis has the layer's `input_size`, as when the sequence is as long as the vocabulary is large.
The layer then gets, as the features of one step, all positions of one token.

## Example
    x = one_hot(ids).permute(0, 2, 1)         # (batch, vocabulary, time), time == vocabulary
    out, _ = nn.LSTM(vocabulary, 50)(x)

## Instead
    x = one_hot(ids).permute(1, 0, 2)         # (time, batch, vocabulary)

## Fix safety
The permute that puts the vocabulary last; verified by looking at the values again.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import shown
from ...graph.origins import Origins, blend
from ...trace import Event, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import TurnAxes
from ..subjects import of_calls

code = "SW240"

LAYERS = {"lstm": "LSTM", "gru": "GRU", "rnn_tanh": "RNN", "rnn_relu": "RNN"}


@of_calls(*LAYERS)
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every recurrent layer whose one-hot input never has the vocabulary last."""
    if not isinstance(event.args[0], TensorFact):
        return
    axes = _one_hot(event)
    if axes and 2 not in axes and not _ever_last(trace, event):
        yield _facts(trace, event, axes[0])


def _one_hot(event: Event) -> list[int]:
    return sorted(int(flag.split(":")[1]) for flag in event.flags if flag.startswith("one-hot:"))


def _ever_last(trace: Trace, event: Event) -> bool:
    """Whether another call from the same place had the vocabulary last: then the data, not the layout, is peculiar."""
    return any(other.stack == event.stack and 2 in _one_hot(other) for other in trace.events if other.op == event.op)


def _facts(trace: Trace, event: Event, axis: int) -> Facts:
    given = event.args[0]
    origins = Origins(trace)
    module = trace.layer(event)
    layer = origins.of_module(module, "input_size", str(given.shape[-1])) if module is not None else []
    return Facts(
        site=event.site,
        fields={"layer": LAYERS[event.op], "shape": shown(given.shape), "axis": axis, "size": given.shape[axis]},
        origins=blend(origins.of_move(given), layer, origins.of_axis(given, -1)),
        spans=(Span(event.site, f"{given.name or 'input'} {shown(given.shape)}"),),
        event=event.index,
        remedy=TurnAxes(),
    )


MESSAGES = {
    "en": {
        "message": "{layer} reads the last axis of {shape} as features, but the one-hot vectors are along axis {axis}",
        "why": (
            "at every position, exactly one of the {size} values along axis {axis} is 1 (one-hot); this does not hold "
            "along the last axis. Axis {axis} is therefore the vocabulary and should be the last axis"
        ),
    },
    "es": {
        "message": (
            "{layer} lee el último eje de {shape} como características, pero los vectores one-hot están a lo largo del "
            "eje {axis}"
        ),
        "why": (
            "en cada posición, exactamente uno de los {size} valores a lo largo del eje {axis} es 1 (one-hot); a lo "
            "largo del último eje no ocurre así. El eje {axis} es, por tanto, el del vocabulario y debería ser el "
            "último"
        ),
    },
    "ja": {
        "message": "{layer} は {shape} の最後の軸を特徴として読みますが、one-hot ベクトルは軸 {axis} に沿っています",
        "why": (
            "どの位置でも、軸 {axis} に沿った {size} 個の値のうちちょうど 1 つだけが 1 (one-hot) ですが、最後の軸ではそ"
            "うなっていません。したがって軸 {axis} が語彙の軸で、これを最後の軸にすべきです"
        ),
    },
}
