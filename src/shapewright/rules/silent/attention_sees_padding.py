"""Attention reads the padding like real steps.

## What it finds
An attention layer, a Transformer or a softmax over time whose weights fall on padded positions because no mask was
given, proven by running one sample with and without its padding. Also scores that a mask sets to 0, in place of -inf,
before their softmax.

## Why it hurts
The output for a sequence depends on how far it is padded, and so on the longest sequence in its batch.

## Example
    # encoder(x) for a padded x, without src_key_padding_mask.

## Instead
    # encoder(x, src_key_padding_mask=pad_mask), pad_mask true at padding; attention_mask for Hugging Face
    # models; scores filled with -inf at padding before a softmax of one's own.

## Fix safety
Safe where the mask marks the padding. No sequence may consist of padding alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import POINTWISE, SAME_VALUES, argument, dim_of, forward, operands, tensors
from ...graph.probed import padded, padding_numbers, padding_origins
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...trace import Event, Origin, ProbeFact, TensorFact, Trace
from ...trace.probe import PaddingInvariance
from ..cause import Shared
from ..facts import Facts
from ..remedy import HidePadding, Rewrite
from ..subjects import of_calls

code = "SW258"
NEAR = 6  # events before the weights
MASKED = frozenset({"masked_fill", "where"})
DROPS = ops.named("drops")


def check(trace: Trace) -> Iterator[Facts]:
    """Padding that was seen to have a say, and scores that a mask leaves in the softmax."""
    yield from _filled(trace)
    for _, answer in padded(trace, "attention"):
        yield Facts(
            answer.site,
            fields=padding_numbers(trace, answer) | {"op": answer.data.op},
            origins=(*padding_origins(trace, answer), *_hiding(trace, answer)),
            severity="warning",
            cause=(Shared.PADDING, answer.module),
            remedy=HidePadding("attended"),
        )


@of_calls("masked_fill", "masked_fill_")
def _filled(trace: Trace, event: Event) -> Iterator[Facts]:
    """Scores that a mask sets to 0 before the softmax along which it tells them apart, and that nothing masks after."""
    value, mask = argument(event, 2, "value"), argument(event, 1, "mask")
    if value != 0 or isinstance(value, bool) or not isinstance(mask, TensorFact) or not event.given[0].requires_grad:
        return
    for weights in forward(trace, event, SAME_VALUES | POINTWISE, 4):
        along = dim_of(weights) if weights.op == "softmax" else None
        if along is None or not mask.sizes or along % weights.given[0].rank != weights.given[0].rank - 1:
            continue
        after = forward(trace, weights, SAME_VALUES | DROPS, 3)
        masked = any(
            one.op.rstrip("_") in MASKED
            or (ops.is_a(one.op, "multiplies") and any(not fact.requires_grad for fact in operands(one)))
            for one in after
        )
        if mask.sizes[-1] > 1 and not masked:
            yield Facts(
                event.site,
                message="filled",
                why="filled_why",
                fields={"line": weights.site.line if weights.site is not None else 0},
                origins=place(trace, weights.site),
                severity="warning",
                event=event.index,
                remedy=_lowest(trace, event),
            )


def _lowest(trace: Trace, event: Event) -> Rewrite | None:
    """The number that is written, replaced by what no softmax gives a weight."""
    source = Source(trace)
    call = source.node_at(event.site, (ast.Call,))
    last = [*call.args, *(one.value for one in call.keywords)][-1:] if isinstance(call, ast.Call) else []
    plain = last and event.site is not None and isinstance(last[0], ast.Constant)
    return Rewrite('float("-inf")', source.site(last[0], event.site.file)) if plain and event.site is not None else None


def _hiding(trace: Trace, answer: ProbeFact[PaddingInvariance]) -> tuple[Origin, ...]:
    """Where what the attention reads was masked, though not at the padding, and what told where."""
    event = next((event for event in trace.events if event.site == answer.site and event.op == answer.data.op), None)
    made = [one for fact in operands(event) for one in ancestors(trace, fact, NEAR).values()] if event else []
    hiding = [one for one in made if one.op.rstrip("_") in MASKED]
    hiding += [one for one in made if any(fact.dtype == "bool" for fact in tensors(one.result))]
    sites = dict.fromkeys(one.site for one in hiding if one.site is not None)
    return tuple(origin for site in sites for origin in place(trace, site))


MESSAGES = {
    "en": {
        "filled": "masked attention scores are set to 0, so softmax still gives them weight",
        "filled_why": (
            "in softmax (line {line}), a score of 0 counts as exp(0) = 1, more than any negative score; set masked "
            "scores to -inf or to a very low number"
        ),
        "message": "attention also reads the padding: `{source}`",
        "why": (
            "for a sequence of length {length} padded to {padded}, removing or replacing the padding changes the "
            "outputs of {model} by up to {largest} (their typical magnitude is {scale})"
        ),
    },
    "es": {
        "filled": "las puntuaciones de atención enmascaradas se ponen a 0, así que softmax les sigue dando peso",
        "filled_why": (
            "en softmax (línea {line}), una puntuación de 0 cuenta como exp(0) = 1, más que cualquier puntuación "
            "negativa; pon las enmascaradas a -inf o a un número muy bajo"
        ),
        "message": "la atención también lee el relleno: `{source}`",
        "why": (
            "con una secuencia de longitud {length} rellenada hasta {padded}, quitar o sustituir el relleno cambia las "
            "salidas de {model} hasta en {largest} (magnitud típica de las salidas: {scale})"
        ),
    },
    "ja": {
        "filled": "マスクしたアテンションのスコアが 0 なので、softmax の後も重みが残ります",
        "filled_why": (
            "softmax ({line} 行目) ではスコア 0 は exp(0) = 1 として数えられ、どの負のスコアより大きくなります。マスク"
            "するスコアは -inf か絶対値の大きい負の数にします"
        ),
        "message": "アテンションがパディングも読んでいます: `{source}`",
        "why": (
            "長さ {length} の系列を {padded} までパディングした場合、パディングを除くか置き換えると {model} "
            "の出力は最大で {largest} 変わります (出力の大きさは通常 {scale} 程度)"
        ),
    },
}
