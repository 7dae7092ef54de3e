"""A softmax runs over an axis of one value: every result is 1.

## What it finds
`softmax` or `log_softmax` along an axis whose size is 1, as after `Linear(hidden, 1)`, at every call of that line.

## Why it hurts
The softmax of one number is 1 (its logarithm 0), whatever the number: attention weights or probabilities are constants
and no gradient
flows through them.

## Example
    scores = self.attention(states)           # (batch, time, 1)
    weights = scores.softmax(dim=-1)          # all ones

## Instead
    weights = scores.softmax(dim=1)           # over time

## Fix safety
The axis to use is chosen among the others and verified by running; for a two-class head use sigmoid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...graph.flow import shown
from ...trace import Origin, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import SetDim
from .loss_broadcasts_silently import _distinct
from .softmax_over_samples import axis_of

code = "SW203"
slug = "softmax-of-one-value"
order = 16


def check(trace: Trace) -> Iterator[Facts]:
    """Every line whose softmax never sees more than one value."""
    places = defaultdict(list)
    for event in trace.events:
        if (
            event.op in ("softmax", "log_softmax", "softmin")
            and event.site is not None
            and event.args
            and isinstance(event.args[0], TensorFact)
        ):
            places[event.site].append(event)
    for site, events in places.items():
        dims = [axis_of(event, event.args[0]) for event in events]
        if not all(d is not None and e.args[0].rank >= 2 and e.args[0].shape[d] == 1 for d, e in zip(dims, events)):
            continue
        event, dim = events[0], dims[0]
        fact = event.args[0]
        if all(n == 1 for e in events for n in e.args[0].shape):
            continue
        if fact.axes and fact.axes[dim].role == "batch":
            continue
        origins = [fact.axes[dim].origin] if fact.axes and fact.axes[dim].origin else []
        module = trace.modules.get(event.modules[-1]) if event.modules else None
        if module is not None and module.kind in ("Softmax", "LogSoftmax", "Softmin") and module.site:
            origins.insert(
                0, Origin("constructor", f"{module.kind}(dim={module.config.get('dim')})", module.site, module.stack)
            )
        yield Facts(
            site=site,
            fields={
                "op": event.op,
                "dim": dim,
                "shape": shown(fact.shape),
                "value": 0 if event.op == "log_softmax" else 1,
            },
            origins=_distinct(tuple(origins), event),
            spans=(Span(site, f"{fact.name or 'x'} {shown(fact.shape)}, dim {dim}"),),
            cause=f"softmax-one:{site.file}:{site.line}",
            event=event.index,
            remedy=SetDim(dim=dim, module=module.uid if module else -1),
        )


MESSAGES = {
    "en": {
        "message": "{op} over axis {dim} of {shape}, which has size 1: the result is always {value}",
        "why": (
            "softmax makes the values along an axis add up to 1; a single value is always 1, and no gradient passes"
        ),
    },
    "es": {
        "message": "{op} sobre el eje {dim} de {shape}, que tiene tamaño 1: el resultado es siempre {value}",
        "why": "softmax hace que los valores de un eje sumen 1; un único valor es siempre 1, y no pasa gradiente",
    },
    "ja": {
        "message": "{shape} の軸 {dim} はサイズが 1 なので、{op} の結果は常に {value} です",
        "why": "softmax は軸に沿った値の合計を 1 にします。値が 1 つなら常に 1 で、勾配も流れません",
    },
}
