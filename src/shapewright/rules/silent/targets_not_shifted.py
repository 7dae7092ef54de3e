"""A model is trained to predict exactly the token, or the pixel, that it is given.

## What it finds
A loss whose targets equal the model's own input tokens at the same positions, on a model that reads from left to right.
Also a loss whose targets are the input picture, where each output depends on the pixels before it in raster order and
on the pixel at its own position, because the mask of the first layer leaves the center open; or so in any other order
that masks give the input values. And targets that are the input tokens of the previous step, that is, shifted in the
wrong direction.

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
of_any_rank = True
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
    """At the line that made the layer by which a pixel shows in its own output, if that is known."""
    layer = trace.modules.get(data.modules[-1]) if data.modules else None
    own = 0 if layer is None or layer.is_torch else 1  # the constructor of a class of the user's is not the place
    made = layer.stack[-1 - own :] if layer is not None else ()
    return Facts(
        made[0] if made else loss,
        message="number" if data.ordered else "pixel",
        why="number_why" if data.ordered else "pixel_why",
        fields={"model": data.model, "layer": layer.kind if layer is not None else data.model, "steps": data.steps},
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
            "all {compared} targets equal the input token at the same step, and no output of {model} depends on later "
            "tokens. To predict the next token, the targets must be one step later"
        ),
        "earlier": "the targets are the input tokens of the previous step, which {model} has already read",
        "why_earlier": (
            "all {compared} targets equal the input token of the step before, and {model} reads from left to right. To "
            "predict the next token, the targets must be one step later than the input"
        ),
        "pixel": "{model} is trained to predict each pixel, but that pixel is part of its input",
        "pixel_why": (
            "no output depends on later pixels (row by row), but because of this {layer} every output depends on the "
            "pixel at its position. The targets are the input picture, so the model learns to copy it"
        ),
        "number": "{model} is trained to predict each of {steps} input values, but each one is part of its input",
        "number_why": (
            "{model} was run with single input values changed: the outputs follow an order, as in an autoregressive "
            "model, but every output also depends on the input value at its own position, so the model learns to copy "
            "it. The mask of one layer must exclude it (< instead of <=)"
        ),
    },
    "es": {
        "message": (
            "los objetivos son los tokens de entrada de {model} en las mismas posiciones: no queda nada que predecir"
        ),
        "why": (
            "los {compared} objetivos son iguales al token de entrada del mismo paso, y ninguna salida de {model} "
            "depende de tokens posteriores. Para predecir el siguiente token, los objetivos deben ir un paso después"
        ),
        "earlier": "los objetivos son los tokens de entrada del paso anterior, que {model} ya ha leído",
        "why_earlier": (
            "los {compared} objetivos son iguales al token de entrada del paso anterior, y {model} lee de izquierda a "
            "derecha. Para predecir el siguiente token, los objetivos deben ir un paso después de la entrada"
        ),
        "pixel": "{model} se entrena para predecir cada píxel, pero ese mismo píxel es parte de su entrada",
        "pixel_why": (
            "ninguna salida depende de píxeles posteriores (fila a fila), pero a causa de este {layer} cada salida "
            "depende del píxel de su posición. Los objetivos son la imagen de entrada, así que el modelo aprende a "
            "copiarla"
        ),
        "number": "{model} se entrena para predecir {steps} valores de su entrada, pero cada uno es parte de ella",
        "number_why": (
            "{model} se ejecutó cambiando valores sueltos de la entrada: las salidas siguen un orden, como en un "
            "modelo autorregresivo, pero cada salida depende también del valor de entrada de su propia posición, así "
            "que el modelo aprende a copiarlo. La máscara de una capa debe excluirlo (< en lugar de <=)"
        ),
    },
    "ja": {
        "message": "ターゲットが {model} の同じ位置の入力トークンと一致しており、予測すべきものがありません",
        "why": (
            "{compared} 個のターゲットがすべて同じステップの入力トークンと等しく、{model} の出力は後のトークンに依存し"
            "ません。次のトークンを予測するには、ターゲットを 1 ステップ後の値にします"
        ),
        "earlier": "ターゲットが 1 ステップ前の入力トークンになっています。{model} はこれをすでに読んでいます",
        "why_earlier": (
            "{compared} 個のターゲットはすべて 1 ステップ前の入力トークンと等しく、{model} は左から右へ読みます。次のト"
            "ークンを予測するには、ターゲットを入力より 1 ステップ後の値にします"
        ),
        "pixel": "{model} は各ピクセルを予測するように学習していますが、そのピクセル自身が入力に含まれています",
        "pixel_why": (
            "どの出力も (行ごとの順で) 後のピクセルには依存しませんが、この {layer} のために同じ位置のピクセルに依存し"
            "ます。ターゲットは入力画像そのものなので、モデルは画像を写すことを学習します"
        ),
        "number": "{model} は {steps} 個の入力値をそれぞれ予測するように学習していますが、その値自身が入力に含まれます",
        "number_why": (
            "{model} の入力値を 1 つずつ変えて実行しました。出力は自己回帰モデルのように順序に従いますが、どの出力も"
            "同じ位置の入力値に依存するため、モデルは入力を写すことを学習します。どこか 1 層のマスクでその値を除く必要"
            "があります (<= ではなく <)"
        ),
    },
}
