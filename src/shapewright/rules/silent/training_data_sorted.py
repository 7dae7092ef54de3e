"""The training data are sorted by class: each batch examined has a single label.

## What it finds
A loader that keeps the order of its data, in training batches of which each has a single label while labels change from
batch to batch.

## Why it hurts
The model learns one class after the other and can forget the ones before. Batch norm sees statistics of one class at a
time.

## Example
    loader = DataLoader(dataset, batch_size=32)          # files were read class by class

## Instead
    loader = DataLoader(dataset, batch_size=32, shuffle=True)

## Fix safety
Safe, unless the order carries meaning (time).
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument
from ...graph.ledger import ledger
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW238"
LEAST = 8


def check(trace: Trace) -> Iterator[Facts]:
    """Every loader in order whose training batches each have one label."""
    learned = ledger(trace).learned
    places: dict[tuple, list[tuple[Event, int, float | None]]] = {}
    for index, count, value in trace.data.targets:
        event = trace.events[index] if index < len(trace.events) else None
        if (
            event is not None
            and event.site is not None
            and index in learned
            and ops.is_a(event.op, "classifies", "binary")
        ):
            places.setdefault((event.site, event.op), []).append((event, count, value))
    for (site, _), seen in places.items():
        values = {value for _, _, value in seen}
        if len(seen) < 3 or None in values or len(values) < 2 or min(count for _, count, _ in seen[:2]) < LEAST:
            continue
        loader = _loader(trace, seen[0][0])
        if loader is not None:
            yield Facts(
                loader["sites"][-1],
                fields={
                    "batch": seen[0][1],
                    "seen": len(seen),
                    "classes": ", ".join(f"{value:g}" for value in sorted(values)),
                },
                origins=place(trace, site),
                severity="warning",
                cause=(code, site),
                event=seen[0][0].index,
                remedy=SetArgument("shuffle", "True"),
            )


def _loader(trace: Trace, event: Event) -> dict | None:
    """The loader in order that made the batch of a loss's targets."""
    target = argument(event, 1, "target")
    origin = (
        next((axis.origin for axis in target.axes if axis.role == "batch" and axis.origin is not None), None)
        if isinstance(target, TensorFact)
        else None
    )
    return next(
        (
            known
            for known in trace.data.loaders
            if origin is not None and known["sites"] and known["sites"][-1] == origin.site and known["sequential"]
        ),
        None,
    )


MESSAGES = {
    "en": {
        "message": "the training data seem to be sorted by class: each batch examined has a single label",
        "why": "the loader does not shuffle; {seen} batches of {batch} samples were examined (labels: {classes})",
    },
    "es": {
        "message": (
            "los datos de entrenamiento parecen ordenados por clase: cada lote examinado tiene una sola etiqueta"
        ),
        "why": "el DataLoader no baraja; se examinaron {seen} lotes de {batch} muestras (etiquetas: {classes})",
    },
    "ja": {
        "message": "学習データがクラス順に並んでいるようです。調べたどのバッチにも、ラベルが 1 種類しかありません",
        "why": "ローダーはシャッフルしません。{batch} サンプルのバッチを {seen} 個調べました (ラベル: {classes})",
    },
}
