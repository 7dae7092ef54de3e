"""A loss compares samples with other samples' targets: its two sides run through the batch in different orders.

## What it finds
A training loss that changes when samples and targets are put in another order together, and the call at which it
happens: both operands
hold every sample, but not at the same places. The probe computes the loss again from the recorded calls to find it.

## Why it hurts
Sizes agree, so nothing raises, and the loss may even fall; but most predictions are compared with the target of another
sample or step.

## Example
    logits = model(x).reshape(-1, 5)         # (time, batch) inside: step by step
    loss = cross_entropy(logits, y.reshape(-1))   # (batch, time): sample by sample

## Instead
    logits = model(x).transpose(0, 1).reshape(-1, 5)

## Fix safety
Losses that compare neighbors in the batch on purpose slice, roll or index it, and are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import one_per_place, operands, produced
from ...graph.training import place
from ...trace import Pairing, Trace
from ..facts import Facts

code = "SW219"
slug = "samples-paired-out-of-order"
order = 90
stands_back = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss that moves although each sample keeps its target."""
    for answer in trace.answers(Pairing):
        data = answer.data
        if data.kind != "order" or answer.site is None:
            continue
        event = trace.events[answer.event] if 0 <= answer.event < len(trace.events) else None
        sources = (
            [
                made.site
                for fact in operands(event)
                if (made := produced(trace, fact)) is not None and made.site is not None
            ]
            if event is not None
            else []
        )
        yield Facts(
            answer.site,
            fields={
                "op": data.op,
                "batch": data.batch,
                "before": f"{data.before:.5g}",
                "after": f"{data.after:.5g}",
                "a": data.a,
                "b": data.b,
            },
            origins=tuple(
                origin
                for site in dict.fromkeys(sources)
                if site.line != answer.site.line and site.end_line <= site.line
                for origin in place(trace, site, "operator")
            ),
            severity="error" if data.certain else "warning",
            event=answer.event,
        )


MESSAGES = {
    "en": {
        "message": (
            "{op} pairs predictions with the targets of other samples: the batch is in a different order on each side"
        ),
        "why": (
            "when the {batch} samples and their targets are reordered together, the loss changes from {before} to "
            "{after}, but it should not change; in memory one side is {a}, the other {b} (* marks the sample axis)"
        ),
    },
    "es": {
        "message": (
            "{op} empareja predicciones con los objetivos de otras muestras: el lote está en un orden distinto "
            "en cada lado"
        ),
        "why": (
            "al reordenar juntas las {batch} muestras y sus objetivos, la pérdida cambia de {before} a {after}, y "
            "no debería; en memoria un lado es {a} y el otro {b} (* marca el eje de muestras)"
        ),
    },
    "ja": {
        "message": (
            "{op} が予測を別のサンプルのターゲットと組にしています。予測側とターゲット側でバッチの並び順が違います"
        ),
        "why": "{batch} 個のサンプルとターゲットを一緒に並べ替えると、変わらないはずの損失が {before} から {after} "
        "になりました。"
        "メモリ上の並びは片方が {a}、もう片方が {b} です (* がサンプルの軸)",
    },
}
