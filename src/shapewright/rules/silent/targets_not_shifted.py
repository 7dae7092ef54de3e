"""A language model is trained to predict the very token that it is given.

## What it finds
A loss whose targets equal the model's own input tokens at the same places, on a model that reads from left to right.

## Why it hurts
The target is in the input; the model learns to copy it and nothing about what comes next.

## Example
    loss = cross_entropy(model(ids).flatten(0, 1), ids.flatten())

## Instead
    # logits = model(ids[:, :-1]) against ids[:, 1:].

## Fix safety
Safe for next-token training. Masked language models (targets only where the input is hidden), encoders that look both
ways and models
that shift their labels themselves are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.behind import bound_to
from ...graph.flow import argument, one_per_place, operands
from ...graph.training import ancestors, handed_on, place
from ...trace import Causality, TensorFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import Shift

code = "SW260"
NEAR = 40  # operators


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(Causality, True):
        site = answer.data.loss
        if answer.data.shift != 0 or not answer.data.own or site is None:
            continue
        events = [event for event in trace.events if event.index == answer.data.event]
        target = next((fact for event in events for fact in event.args[1:2]), None)
        source = trace.events[target.producer] if target is not None and getattr(target, "producer", -1) >= 0 else None
        yield Facts(
            site,
            fields={"model": answer.data.model, "compared": answer.data.compared},
            origins=tuple(
                dict.fromkeys(
                    place(trace, answer.site)
                    + (place(trace, source.site) if source is not None else ())
                    + _target(trace, answer.data.event)
                    + _picked(trace, answer.data.event)
                )
            ),
            cause=(Shared.SHIFT, answer.module),
            event=answer.data.event,
            remedy=Shift(),
        )


def _target(trace: Trace, index: int) -> tuple:
    """The lines that the targets passed on their way to the loss."""
    event = trace.event(index)
    target = argument(event, 2 if event.op == "gather" else 1, "target") if event is not None else None
    made = bound_to(trace, target) if isinstance(target, TensorFact) else []
    return tuple(o for site in dict.fromkeys((*handed_on(trace, target), *made[:3])) for o in place(trace, site))


def _picked(trace: Trace, index: int) -> tuple:
    """The line that last picked some of the steps that the prediction was computed from."""
    event = trace.event(index)
    given = next(iter(operands(event)), None) if event is not None else None
    before = ancestors(trace, given, NEAR).values() if given is not None else ()
    picks = [one for one in before if one.site is not None and ops.is_a(one.op, "selects") and one.result.rank > 1]
    return place(trace, max(picks, key=lambda one: one.index).site) if picks else ()


MESSAGES = {
    "en": {
        "message": "the targets are the input tokens of {model} at the same positions: nothing is left to predict",
        "why": (
            "all {compared} targets equal the input token of their own step, and {model} reads from left to right; "
            "to predict the next token, the targets must be one step later"
        ),
    },
    "es": {
        "message": (
            "los objetivos son los tokens de entrada de {model} en las mismas posiciones: no queda nada que predecir"
        ),
        "why": (
            "los {compared} objetivos son iguales al token de entrada de su propio paso y {model} lee de izquierda "
            "a derecha; para predecir el siguiente token, los objetivos deben ir un paso después"
        ),
    },
    "ja": {
        "message": "ターゲットが {model} の入力トークンと同じ位置で一致しており、予測すべきものがありません",
        "why": (
            "{compared} 個のターゲットがすべて同じステップの入力と等しく、{model} は左から右へ読みます。"
            "次のトークンを予測するには 1 ステップ後の値が必要です"
        ),
    },
}
