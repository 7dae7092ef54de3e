"""A next-token model sees the token that it should predict.

## What it finds
A loss whose targets are the inputs (tokens, or the numbers of a series) shifted by one, on a model whose outputs change
when what comes later is removed: a causal mask is missing, a recurrent net reads both ways, or a convolution is padded
or cut on the wrong side.

## Why it hurts
The model can copy its target from its input. The loss can then get close to zero although the model has not learned to
predict later tokens, which generation needs.

## Example
    # nn.TransformerEncoder without mask=... in a language model; nn.LSTM(..., bidirectional=True).

## Instead
    # mask=nn.Transformer.generate_square_subsequent_mask(T), is_causal=True; one direction.

## Fix safety
Safe where the loss is next-token.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

from ...graph.behind import behind
from ...graph.flow import lineage, operands, produced
from ...graph.probed import line_of, made
from ...graph.training import ancestors, place
from ...trace import Causality, Event, Origin, ProbeFact, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import HideLater

code = "SW259"
of_any_rank = True
STEPS = 8


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(Causality):
        data = answer.data
        if data.shift != 1 or answer.site is None:
            continue
        yield Facts(
            answer.site,
            "step" if data.real else "message",
            fields={
                "source": line_of(trace, answer.site),
                "model": data.model,
                "cut": data.cut,
                "steps": data.steps,
                "compared": data.compared,
                "largest": f"{data.largest:.3g}",
                "scale": f"{data.scale:.3g}",
            },
            origins=made(trace, answer) + _masks(trace, answer) + place(trace, data.loss),
            cause=(code, answer.module),
            remedy=HideLater(tuple(data.modules)),
        )


def _masks(trace: Trace, answer: ProbeFact[Causality]) -> tuple[Origin, ...]:
    """Where the tables were made that carry no gradient and enter the operator that looks ahead: its masks."""
    called = [event for event in trace.events if event.site == answer.site and event.op == answer.data.op]
    own = answer.data.modules  # layers made in `forward` are others in each call
    event = max(called, key=lambda one: len(os.path.commonprefix([one.modules, own])), default=None)
    found: list[Site] = []

    def follow(one: Event) -> list[TensorFact]:
        made = [(fact, produced(trace, fact)) for fact in operands(one) if fact.requires_grad]
        return [fact for fact, source in made if source is not None and source.modules[:1] == (answer.module,)]

    start = TensorFact(producer=event.index) if event is not None else None
    for one in lineage(trace, start, follow, STEPS):
        for fact in operands(one):
            if not fact.requires_grad and fact.rank >= 2 and len(set(fact.sizes[-2:])) == 1:
                found += itertools.chain.from_iterable(_bound(trace, made) for made in ancestors(trace, fact).values())
    lines = {(site.file, site.line): site for site in reversed(found)}  # of each line the first that was met
    nearest = sorted(lines.values(), key=found.index)[:STEPS]
    return tuple(origin for site in nearest for origin in place(trace, site))


def _bound(trace: Trace, event: Event) -> list[Site]:
    """The line of an operator and, where it reads what torch did not make, an array, the line that bound that."""
    made = any(fact.producer < 0 and fact.kind == "tensor" for fact in operands(event))
    return [] if event.site is None else list(behind(trace, event.site, 1)) if made else [event.site]


MESSAGES = {
    "en": {
        "message": "{model} is trained to predict the next token but can see that token: `{source}` looks ahead",
        "step": "{model} is trained to predict the next step but can see that step: `{source}` looks ahead",
        "why": (
            "all {compared} targets are the input one step later. When everything after step {cut} of {steps} was "
            "removed, the outputs up to that step changed by up to {largest} (their typical magnitude is {scale})"
        ),
    },
    "es": {
        "message": (
            "{model} se entrena para predecir el siguiente token, pero puede ver ese token: `{source}` mira hacia "
            "delante"
        ),
        "step": (
            "{model} se entrena para predecir el siguiente paso, pero puede ver ese paso: `{source}` mira hacia delante"
        ),
        "why": (
            "los {compared} objetivos son la entrada un paso después. Al quitar todo lo que sigue al paso {cut} de "
            "{steps}, cambiaron salidas de ese paso o de pasos anteriores (diferencia máxima: {largest}; magnitud "
            "típica de las salidas: {scale})"
        ),
    },
    "ja": {
        "message": "{model} は次のトークンを予測するように学習していますが、`{source}` でそのトークンを見ています",
        "step": "{model} は次のステップを予測するように学習していますが、`{source}` でそのステップを見ています",
        "why": (
            "{compared} 個のターゲットはすべて入力を 1 ステップずらしたものです。{steps} ステップのうちステップ {cut} "
            "より後を除くと、そこまでの出力が最大で {largest} 変わりました (出力の大きさは通常 {scale} 程度)"
        ),
    },
}
