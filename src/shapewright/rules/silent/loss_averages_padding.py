"""A loss over time counts padded steps.

## What it finds
A cross-entropy over the steps of a padded batch whose targets at padding are an ordinary class, not the one the loss
ignores.

## Why it hurts
The model learns to predict padding, which is easy: the loss looks low, and long sequences weigh less than they should.

## Example
    # cross_entropy(logits.flatten(0, 1), targets.flatten()) with targets padded with 0.

## Instead
    # ignore_index=0, or targets padded with -100.

## Fix safety
Safe where the padding number is no real class.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import line_of
from ...trace import Origin, PaddingInLoss, Trace
from ..facts import Facts
from ..remedy import HidePadding

code = "SW264"
slug = "loss-averages-padding"
order = 60


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(PaddingInLoss):
        if answer.site is None:
            continue
        data, where = answer.data, answer.data.where
        yield Facts(
            answer.site,
            fields={
                "counted": data.counted,
                "of": data.of,
                "value": data.value,
                "share": f"{data.share:.0%}",
            },
            origins=(Origin("padding", line_of(trace, where), where),) if where is not None else (),
            severity="warning",
            cause=f"loss-padding:{answer.site.line}",
            event=data.event,
            remedy=HidePadding("loss", data.value),
        )


MESSAGES = {
    "en": {
        "message": "the loss includes padding: {counted} of its {of} targets ({share}) are padded steps",
        "why": (
            "their target is {value}, which the loss treats as a class; ignore_index={value}, or padding the "
            "targets with -100, excludes them"
        ),
    },
    "es": {
        "message": "la pérdida incluye el relleno: {counted} de sus {of} objetivos ({share}) son pasos de relleno",
        "why": (
            "su objetivo es {value}, que la pérdida trata como una clase; ignore_index={value}, o rellenar los "
            "objetivos con -100, los excluye"
        ),
    },
    "ja": {
        "message": (
            "損失にパディングが含まれています。ターゲット {of} 個のうち {counted} 個 ({share}) "
            "がパディングのステップです"
        ),
        "why": (
            "そのターゲット値 {value} は普通のクラスとして扱われます。ignore_index={value} にするか、ターゲットを -100 "
            "でパディングすれば除かれます"
        ),
    },
}
