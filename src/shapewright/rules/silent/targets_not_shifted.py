"""A language model is trained to predict the very token, or a model of pictures the very pixel, that it is given.

## What it finds
A loss whose targets equal the model's own input tokens at the same places, on a model that reads from left to right.
Also a loss whose targets are the picture that the model is given, where each output depends on the pixels before it in
raster order and on its own one: the first layer's mask leaves its center open. And targets that are the input tokens
of the step before: shifted the wrong way.

## Why it hurts
The target is in the input: the model can copy it, and learns nothing about what comes next.

## Example
    loss = cross_entropy(model(ids).flatten(0, 1), ids.flatten())

## Instead
    # logits = model(ids[:, :-1]) against ids[:, 1:]; a mask of type A in the first masked convolution.

## Fix safety
Safe for next-token training. Masked language models (targets only where the input is hidden), encoders that look both
ways and models that shift their labels themselves are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.behind import bound_to
from ...graph.flow import argument, one_per_place, operands
from ...graph.training import ancestors, handed_on, place
from ...trace import Causality, Site, TensorFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import Shift

code = "SW260"
NEAR = 40  # operators


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(Causality, True):
        site = answer.data.loss
        if answer.data.shift not in (0, -1) or not answer.data.own or site is None:
            continue
        turned = answer.data.shift < 0
        if turned and _drawn(trace, answer.data.event):
            continue  # to remember numbers of no order is a task of its own
        if answer.data.picture:
            yield _pixel(trace, answer.data, site)
            continue
        events = [event for event in trace.events if event.index == answer.data.event]
        target = next((fact for event in events for fact in event.args[1:2]), None)
        source = trace.events[target.producer] if target is not None and getattr(target, "producer", -1) >= 0 else None
        yield Facts(
            site,
            message="earlier" if turned else "message",
            why="why_earlier" if turned else "why",
            fields={"model": answer.data.model, "compared": answer.data.compared},
            origins=tuple(
                dict.fromkeys(
                    place(trace, answer.site)
                    + (place(trace, source.site) if source is not None else ())
                    + _target(trace, answer.data.event)
                    + _picked(trace, answer.data.event)
                )
            ),
            severity="warning" if turned else "error",
            cause=(Shared.SHIFT, answer.module),
            event=answer.data.event,
            remedy=None if turned else Shift(),
        )


def _drawn(trace: Trace, index: int) -> bool:
    """Whether the targets of a loss are numbers that the script drew."""
    event = trace.event(index)
    before = (made for fact in operands(event)[1:2] for made in ancestors(trace, fact).values()) if event else ()
    return any(ops.is_a(made.op, "draws") for made in before)


def _pixel(trace: Trace, data: Causality, loss: Site) -> Facts:
    """At the line that made the layer by which a pixel shows in its own output."""
    layer = trace.modules.get(data.modules[-1]) if data.modules else None
    own = 0 if layer is None or layer.is_torch else 1  # the constructor of a class of the user's is not the place
    made = layer.stack[-1 - own :] if layer is not None else ()
    return Facts(
        made[0] if made else loss,
        message="pixel",
        why="pixel_why",
        fields={"model": data.model, "layer": layer.kind if layer is not None else data.model},
        origins=tuple(origin for site in (*made[1:], loss) for origin in place(trace, site)),
        cause=(Shared.SHIFT, data.model),
        event=data.event,
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
            "all {compared} targets equal the input token of their own step, and no output of {model} depends on later "
            "tokens; to predict the next token, the targets must be one step later"
        ),
        "earlier": "the targets are the input tokens of {model} one step earlier: it has read each of them already",
        "why_earlier": (
            "all {compared} compared targets equal the input token of the step before, and {model} reads from left to "
            "right; to predict the next token, the targets must be one step later"
        ),
        "pixel": "{model} is trained to predict each pixel and is given that pixel",
        "pixel_why": (
            "no output depends on later pixels (row after row), but every output depends on its own one, by way of "
            "this {layer}; the targets are the input picture, so the model learns to copy it"
        ),
    },
    "es": {
        "message": (
            "los objetivos son los tokens de entrada de {model} en las mismas posiciones: no queda nada que predecir"
        ),
        "why": (
            "los {compared} objetivos son iguales al token de entrada de su propio paso y ninguna salida de {model} "
            "depende de tokens posteriores; para predecir el siguiente token, los objetivos deben ir un paso después"
        ),
        "earlier": "los objetivos son los tokens de entrada de {model} de un paso antes: ya los ha leído todos",
        "why_earlier": (
            "los {compared} objetivos comparados son iguales al token de entrada del paso anterior y {model} lee de "
            "izquierda a derecha; para predecir el siguiente token, los objetivos deben ir un paso después"
        ),
        "pixel": "{model} se entrena para predecir cada píxel y recibe ese mismo píxel",
        "pixel_why": (
            "ninguna salida depende de píxeles posteriores (fila a fila), pero cada una depende del suyo a través de "
            "este {layer}; los objetivos son la imagen de entrada, así que el modelo aprende a copiarla"
        ),
    },
    "ja": {
        "message": "ターゲットが {model} の入力トークンと同じ位置で一致しており、予測すべきものがありません",
        "why": (
            "{compared} 個のターゲットがすべて同じステップの入力と等しく、{model} の出力は後のトークンに依存しません。"
            "次のトークンを予測するには 1 ステップ後の値が必要です"
        ),
        "earlier": "ターゲットが {model} の 1 ステップ前の入力トークンです。どれもすでに読まれています",
        "why_earlier": (
            "比べた {compared} 個のターゲットはすべて 1 ステップ前の入力と等しく、{model} は左から右へ読みます。"
            "次のトークンを予測するには 1 ステップ後の値が必要です"
        ),
        "pixel": "{model} は各ピクセルを予測する学習なのに、そのピクセル自身が入力から見えています",
        "pixel_why": (
            "どの出力も (行ごとの順で) 後のピクセルには依存しませんが、この {layer} "
            "を通して自身のピクセルに依存します。ターゲットは入力画像そのものなので、写すことを学んでしまいます"
        ),
    },
}
