"""A mean or sum over time includes the padding.

## What it finds
A pooling over the time axis of a padded batch that divides by the padded length or adds what is at padding, proven by
running one sample with and without its padding. Also a maximum that depends on the padding, where the model is given a
mask of the padding that has no say in its outputs.

## Why it hurts
The output for a short sequence depends on its padding, so the same sequence can be pooled differently in another batch.

## Example
    # hidden.mean(dim=1) after padding.

## Instead
    # (hidden * keep_mask[..., None]).sum(1) / keep_mask.sum(1, keepdim=True), keep_mask true at real steps.

## Fix safety
Safe where the mask marks the real steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...graph.probed import padded, padding_numbers, padding_origins
from ...graph.training import ancestors, place
from ...trace import Origin, Site, Trace, UnreadFlags
from ..cause import Shared
from ..facts import Facts
from ..remedy import HidePadding

code = "SW257"
COMPARING = ops.named("compares")


def check(trace: Trace) -> Iterator[Facts]:
    masked = {one.module for one in trace.answers(UnreadFlags) if one.data.model and one.data.kind == "mask"}
    for kind, answer in padded(trace, "average", "divided", "extreme"):
        if kind == "extreme" and answer.module not in masked:
            continue  # the best of all steps may be what is asked for, where no mask says otherwise
        yield Facts(
            answer.site,
            message=kind if kind == "divided" else "message",
            why="why_mask" if kind == "extreme" else "why",
            fields=padding_numbers(trace, answer) | {"op": answer.data.op},
            origins=padding_origins(trace, answer) + _masks(trace, answer.site),
            cause=(Shared.PADDING, answer.module),
            remedy=HidePadding("pooled" if kind == "average" else "divided") if kind != "extreme" else None,
        )


def _masks(trace: Trace, site: Site | None) -> tuple[Origin, ...]:
    """Where the masks were made that what is pooled was multiplied with: one of them may count a step too many."""
    pooled = next((event for event in trace.events if event.site == site and event.modules), None)
    if pooled is None:
        return ()
    before = (event for fact in operands(pooled) for event in ancestors(trace, fact, 60).values())
    sites = {event.site: None for event in before if event.op in COMPARING}
    return tuple(origin for made in list(sites)[:2] for origin in place(trace, made))


MESSAGES = {
    "en": {
        "message": "{op} over the time axis includes the padding: `{source}`",
        "divided": "a sum over the real steps is divided by the padded length: `{source}`",
        "why": (
            "for a sequence of length {length}, the output of {model} is {together} if the sequence is padded to "
            "{padded}, and {alone} if the padding is removed or replaced (outputs change by up to {largest})"
        ),
        "why_mask": (
            "{model} is given a mask of the padding and does not read it: for a sequence of length {length}, its "
            "output is {together} if the sequence is padded to {padded}, and {alone} if the padding is removed or "
            "replaced (outputs change by up to {largest})"
        ),
    },
    "es": {
        "message": "{op} sobre el eje de tiempo incluye el relleno: `{source}`",
        "divided": "una suma sobre los pasos reales se divide por la longitud con relleno: `{source}`",
        "why": (
            "con una secuencia de longitud {length}, la salida de {model} es {together} si se rellena hasta {padded}, "
            "y {alone} si se quita o se sustituye el relleno (diferencia máxima entre salidas: {largest})"
        ),
        "why_mask": (
            "{model} recibe una máscara del relleno y no la lee: con una secuencia de longitud {length}, su salida es "
            "{together} si se rellena hasta {padded}, y {alone} si se quita o se sustituye el relleno (diferencia "
            "máxima entre salidas: {largest})"
        ),
    },
    "ja": {
        "message": "時間軸に沿う {op} にパディングが含まれています: `{source}`",
        "divided": "実際のステップの合計が、パディングを含む長さで割られています: `{source}`",
        "why": (
            "長さ {length} の系列に対する {model} の出力は、{padded} までパディングすると {together}、パディングを除く"
            "か置き換えると {alone} です (出力の差は最大 {largest})"
        ),
        "why_mask": (
            "{model} はパディングのマスクを受け取りますが読みません。長さ {length} の系列に対する出力は、{padded} まで"
            "パディングすると {together}、パディングを除くか置き換えると {alone} です (出力の差は最大 {largest})"
        ),
    },
}
