"""A next-token model sees the token that it is to predict.

## What it finds
A loss whose targets are the inputs shifted by one, on a model whose outputs change when later tokens are taken away: a
causal mask is
missing, or a recurrent net reads both ways.

## Why it hurts
The model copies the answer from its input. The loss falls to almost nothing; generation, where there is no future, is
useless.

## Example
    # nn.TransformerEncoder without mask=... in a language model; nn.LSTM(..., bidirectional=True).

## Instead
    # mask=nn.Transformer.generate_square_subsequent_mask(T), is_causal=True; one direction.

## Fix safety
Safe where the loss is next-token.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.probed import line_of, made
from ...graph.training import place
from ...trace import Causality, Trace
from ..facts import Facts
from ..remedy import HideLater

code = "SW259"
slug = "later-tokens-seen"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(Causality):
        data = answer.data
        if data.shift != 1 or answer.site is None:
            continue
        yield Facts(
            answer.site,
            fields={
                "source": line_of(trace, answer.site),
                "model": data.model,
                "cut": data.cut,
                "steps": data.steps,
                "compared": data.compared,
                "largest": f"{data.largest:.3g}",
                "scale": f"{data.scale:.3g}",
            },
            origins=made(trace, answer) + place(trace, data.loss),
            cause=f"causal:{answer.module}",
            remedy=HideLater(tuple(data.modules)),
        )


MESSAGES = {
    "en": {
        "message": "{model} is trained to predict the next token but can see it: `{source}` looks ahead",
        "why": (
            "all {compared} targets are the input one step later; with the tokens after step {cut} of {steps} "
            "removed, the outputs before it changed by up to {largest} (their scale is {scale})"
        ),
    },
    "es": {
        "message": (
            "{model} se entrena para predecir el siguiente token, pero puede verlo: `{source}` mira hacia delante"
        ),
        "why": (
            "los {compared} objetivos son la entrada un paso después; al quitar los tokens posteriores al paso "
            "{cut} de {steps}, las salidas anteriores cambiaron hasta {largest} (su escala es {scale})"
        ),
    },
    "ja": {
        "message": "{model} は次のトークンを予測する学習なのに、`{source}` がその先を見ています",
        "why": (
            "{compared} 個のターゲットはすべて入力を 1 ステップずらしたものです。全 {steps} ステップのうち {cut} "
            "より後を除くと、それより前の出力が最大 {largest} (出力の大きさは "
            "{scale}) 変わりました"
        ),
    },
}
