"""Attention takes padding for content.

## What it finds
An attention layer, a Transformer or a softmax over time whose weights fall on padded positions because no mask was
given, proven by running one sample with and without its padding.

## Why it hurts
The output for a short sequence depends on how long its neighbors in the batch are.

## Example
    # encoder(x) for a padded x, without src_key_padding_mask.

## Instead
    # encoder(x, src_key_padding_mask=pad_mask), pad_mask true at padding; attention_mask for Hugging Face
    # models; scores filled with -inf at padding before a softmax of one's own.

## Fix safety
Safe where the mask marks the padding. No sequence may consist of padding alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.probed import padded, padding_numbers, padding_origins
from ...graph.training import ancestors, place
from ...trace import Origin, ProbeFact, Trace
from ...trace.probe import PaddingInvariance
from ..cause import Shared
from ..facts import Facts
from ..remedy import HidePadding

code = "SW258"
NEAR = 6  # events before the weights
MASKED = frozenset({"masked_fill", "where"})


def check(trace: Trace) -> Iterator[Facts]:
    for answer in padded(trace, "attention"):
        yield Facts(
            answer.site,
            fields=padding_numbers(trace, answer) | {"op": answer.data.op},
            origins=(*padding_origins(trace, answer), *_hiding(trace, answer)),
            severity="warning",
            cause=(Shared.PADDING, answer.module),
            remedy=HidePadding("attended"),
        )


def _hiding(trace: Trace, answer: ProbeFact[PaddingInvariance]) -> tuple[Origin, ...]:
    """Where what the attention reads was masked, though not at the padding."""
    event = next((event for event in trace.events if event.site == answer.site and event.op == answer.data.op), None)
    made = [one for fact in operands(event) for one in ancestors(trace, fact, NEAR).values()] if event else []
    sites = {one.site for one in made if one.site is not None and one.op.rstrip("_") in MASKED}
    return tuple(origin for site in sites for origin in place(trace, site))


MESSAGES = {
    "en": {
        "message": "attention also reads the padding: `{source}`",
        "why": (
            "for a sequence of {length} steps padded to {padded}, the outputs of {model} change by up to {largest} "
            "(their typical magnitude is {scale}) when the padding is removed"
        ),
    },
    "es": {
        "message": "la atención también lee el relleno: `{source}`",
        "why": (
            "para una secuencia de {length} pasos rellenada hasta {padded}, las salidas de {model} cambian en hasta "
            "{largest} (su magnitud típica es {scale}) al quitar el relleno"
        ),
    },
    "ja": {
        "message": "アテンションがパディングも読んでいます: `{source}`",
        "why": (
            "長さ {length} の系列を {padded} までパディングした場合、パディングを除くと {model} の出力は最大 "
            "{largest} (出力の値は通常 {scale} 程度) 変わります"
        ),
    },
}
