"""A 1-d convolution slides over learned features instead of over time.

## What it finds
`Conv1d` with a kernel wider than one on a tensor whose last axis is the output of an embedding, a linear layer or a
recurrent net while its
channel axis is none of these: a `(batch, time, features)` tensor was passed where `(batch, channels, time)` is wanted.

## Why it hurts
It runs when `in_channels` happens to be the sequence length. Features have no order to slide over, and the time steps
are mixed as channels.

## Example
    conv = nn.Conv1d(max_len, 64, kernel_size=3)
    y = conv(embedded)                        # (batch, max_len, dim)

## Instead
    conv = nn.Conv1d(dim, 64, kernel_size=3)
    y = conv(embedded.transpose(1, 2))

## Fix safety
Both the transpose and the layer's `in_channels` change; the layers behind it see another length.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import one_per_place, shown
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import TurnAxes
from .loss_broadcasts_silently import _distinct

code = "SW206"
slug = "convolution-over-features"
order = 22


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such convolution."""
    for event in (event for event in trace.events if event.site is not None and (event.op == "conv1d")):
        fact, weight = ((*event.args, None, None))[:2]
        if (
            not isinstance(fact, TensorFact)
            or not isinstance(weight, TensorFact)
            or fact.rank != 3
            or len(fact.axes) != 3
            or weight.shape[-1] < 2
        ):
            continue
        channel, length = fact.axes[1], fact.axes[2]
        learned = length.role == "feature" and length.origin is not None and length.origin.kind == "constructor"
        if learned and channel.role not in ("feature", "channel", "vocabulary") and len(length.uids) == 1:
            yield _facts(trace, event, fact, weight)


def _facts(trace: Trace, event: Event, fact: TensorFact, weight: TensorFact) -> Facts:
    module = trace.modules.get(event.modules[-1]) if event.modules else None
    origins = (
        [
            Origin(
                "constructor",
                f"Conv1d({weight.shape[1]}, {weight.shape[0]}, {weight.shape[2]})",
                module.site,
                module.stack,
            )
        ]
        if module and module.site
        else []
    )
    origins += [axis.origin for axis in (fact.axes[2], fact.axes[1]) if axis.origin]
    return Facts(
        site=event.site,
        fields={
            "shape": shown(fact.shape),
            "features": fact.shape[2],
            "steps": fact.shape[1],
            "maker": fact.axes[2].origin.note,
            "kernel": weight.shape[2],
        },
        origins=_distinct(tuple(origins), event),
        spans=(Span(event.site, f"{fact.name or 'x'} {shown(fact.shape)}"),),
        cause=f"conv:{event.site.file}:{event.site.line}",
        event=event.index,
        remedy=TurnAxes("channels", module.uid if module else -1),
    )


MESSAGES = {
    "en": {
        "message": "Conv1d on {shape} slides its kernel of size {kernel} over the {features} features",
        "why": (
            "the last axis is the output of {maker}: its {features} features have no order, and the {steps} "
            "steps are read as channels; Conv1d expects (batch, channels, time)"
        ),
    },
    "es": {
        "message": "Conv1d sobre {shape} desliza su kernel de tamaño {kernel} por las {features} características",
        "why": (
            "el último eje es la salida de {maker}: sus {features} características no tienen orden, y los "
            "{steps} pasos se leen como canales; Conv1d espera (lote, canales, tiempo)"
        ),
    },
    "ja": {
        "message": "{shape} に対する Conv1d のサイズ {kernel} のカーネルが、{features} 個の特徴の上を滑っています",
        "why": (
            "最後の軸は {maker} の出力で、{features} 個の特徴に順序はなく、{steps} "
            "個の時間ステップがチャネルとして扱われています。Conv1d が求めるのは (バッチ, チャネル, 時間) です"
        ),
    },
}
