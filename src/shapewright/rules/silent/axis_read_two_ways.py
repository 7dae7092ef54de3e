"""One axis is the batch for one layer of a model and time for another.

## What it finds
Recurrent and attention layers of one model that read the same axis by different conventions: a Transformer encoder made
with `batch_first=True` hands its output to a decoder made without it.

## Why it hurts
The second layer passes information from sample to sample, and takes the steps of a sequence for independent samples.

## Example
    encoder = nn.TransformerEncoderLayer(32, 4, batch_first=True)
    decoder = nn.TransformerDecoderLayer(32, 4)                     # reads (time, batch, features)

## Instead
    decoder = nn.TransformerDecoderLayer(32, 4, batch_first=True)

## Fix safety
The layers agree afterwards; check which of the two conventions the model's input and output follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import sample_uids
from ...graph.probed import constructor
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts
from ..remedy import BatchFirst

code = "SW234"


def check(trace: Trace) -> Iterator[Facts]:
    """The first layer of each model that takes a sample axis for time, where another layer takes it for the batch."""
    samples = sample_uids(trace)
    batch: dict[tuple[int, int], Event] = {}
    time: dict[tuple[int, int], Event] = {}
    for event in trace.events:
        for first, second in _read(trace, event) if event.site is not None and event.modules else ():
            batch.setdefault((event.modules[0], first), event)
            time.setdefault((event.modules[0], second), event)
    for (model, uid), event in time.items():
        other = batch.get((model, uid))
        if other is None or uid not in samples or other.site == event.site:
            continue
        yield Facts(
            event.site,
            fields={
                "layer": _named(trace, event),
                "other": _named(trace, other),
                "line": other.site.line,
                "model": trace.modules[model].kind if model in trace.modules else "",
            },
            origins=tuple(origin for one in (event, other) for origin in _made(trace, one)),
            cause=(code, model),
            remedy=BatchFirst((event.modules[-1],)),
        )


def _read(trace: Trace, event: Event) -> Iterator[tuple[int, int]]:
    """The identities of the axes that a layer takes for the batch and for time, for each of its sequences with more
    than one sample."""
    if ops.is_a(event.op, "recurrent"):
        module = trace.modules.get(event.modules[-1])
        first, given = 0 if module is not None and module.config.get("batch_first") else 1, event.args[:1]
    elif event.op == "multi_head_attention_forward":
        first, given = (
            1,
            event.args[:2],
        )  # the function is time-first: a module made with batch_first turns its input before
    else:
        return
    for fact in given:
        if (
            isinstance(fact, TensorFact)
            and fact.rank == 3
            and len(fact.axes) == 3
            and min(fact.shape[:2]) > 1
            and all(len(axis.uids) == 1 for axis in fact.axes[:2])
        ):
            yield fact.axes[first].uids[0][0], fact.axes[1 - first].uids[0][0]


def _named(trace: Trace, event: Event) -> str:
    return next(
        (trace.modules[uid].kind for uid in event.modules if uid in trace.modules and trace.modules[uid].is_torch),
        event.op,
    )


def _made(trace: Trace, event: Event) -> tuple[Origin, ...]:
    """Where the innermost module of which that is known was constructed."""
    made = (constructor(trace, trace.modules.get(uid)) for uid in reversed(event.modules))
    return next((found for found in made if found), ())


MESSAGES = {
    "en": {
        "message": "{layer} reads as time the axis that {other} reads as the batch",
        "why": (
            "this axis holds the samples of {model}; {layer} passes information from one sample to the next along it, "
            "whereas {other} on line {line} keeps the samples separate"
        ),
    },
    "es": {
        "message": "{layer} lee como tiempo el eje que {other} lee como lote",
        "why": (
            "este eje contiene las muestras de {model}; {layer} pasa información de una muestra a la siguiente, "
            "mientras que {other} en la línea {line} mantiene separadas las muestras"
        ),
    },
    "ja": {
        "message": "{other} がバッチとして読む軸を、{layer} が時間として読んでいます",
        "why": (
            "この軸は {model} のサンプルの軸です。{line} 行目の {other} はサンプルを別々に扱いますが、{layer} はサンプ"
            "ルから次のサンプルへ情報を渡します"
        ),
    },
}
