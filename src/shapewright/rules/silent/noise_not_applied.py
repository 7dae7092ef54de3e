"""A denoising model is trained to predict different noise from the noise that was added to its input.

## What it finds
A regression loss whose target was drawn anew, while the model's input was mixed with another draw of the same shape:
nothing that the model reads depends on the target.

## Why it hurts
The best prediction is the mean, zero. The loss stays near one however long it is trained.

## Example
    x_t = a * x0 + b * torch.randn_like(x0)
    loss = F.mse_loss(model(x_t, t), torch.randn_like(x0))

## Instead
    noise = torch.randn_like(x0)
    x_t = a * x0 + b * noise
    loss = F.mse_loss(model(x_t, t), noise)

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import REGRESSION_LOSSES, consumers, one_per_place, operands, produced, reduced_to_scalar
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW297"
slug = "noise-not-applied"
aliases = ("noise-never-seen",)
NOISE = frozenset({"randn_like", "randn", "normal"})


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every regression of one draw of noise on an input with another one."""
    for event in trace.events:
        if event.site is None or (event.op not in REGRESSION_LOSSES and event.op != "sub") or len(operands(event)) != 2:
            continue
        if event.op == "sub" and not any(
            ops.is_a(user.op, "multiplies", "powers", "magnitudes") and reduced_to_scalar(trace, user) is not None
            for user in consumers(trace, event.index)
        ):
            continue
        for answer, target in (operands(event), operands(event)[::-1]):
            drawn = produced(trace, target)
            if not answer.requires_grad or target.requires_grad or drawn is None or drawn.op not in NOISE:
                continue
            made = ancestors(trace, answer)
            added = next(
                (
                    other
                    for other in made.values()
                    if other.op in NOISE
                    and isinstance(other.result, TensorFact)
                    and other.result.shape == target.shape
                    and _mixed(trace, other, made)
                ),
                None,
            )
            if drawn.index not in made and added is not None and len(consumers(trace, drawn.index)) == 1:
                yield Facts(
                    event.site,
                    fields={
                        "line": added.site.line if added.site else "?",
                        "target": drawn.site.line if drawn.site else "?",
                    },
                    origins=place(trace, added.site) + place(trace, drawn.site),
                    remedy=Rewrite(name, drawn.site) if (name := _name(trace, added.result)) else None,
                    event=event.index,
                )


def _name(trace: Trace, fact: TensorFact) -> str:
    """The variable that a tensor was bound to first."""
    return next((bound.name for bound in trace.bound if bound.fact.uid == fact.uid), "")


def _mixed(trace: Trace, noise: Event, made: dict[int, Event]) -> bool:
    """Whether a draw is scaled and added to something on its way into the model."""
    for user in consumers(trace, noise.index):
        if (
            ops.is_a(user.op, "adds", "multiplies")
            and user.index in made
            and (
                user.op == "add"
                or any(ops.is_a(later.op, "offsets") and later.index in made for later in consumers(trace, user.index))
            )
        ):
            return True
    return False


MESSAGES = {
    "en": {
        "message": "the model is trained to predict noise that it never saw: the target is a different random sample",
        "why": (
            "the model's input was mixed with the noise of line {line}; the target is noise sampled again on line "
            "{target}, and the input has no information about that noise"
        ),
    },
    "es": {
        "message": "el modelo se entrena para predecir un ruido que nunca vio: el objetivo es otra muestra aleatoria",
        "why": (
            "la entrada del modelo se mezcló con el ruido de la línea {line}; el objetivo es ruido muestreado de "
            "nuevo en la línea {target}, del que la entrada no tiene información"
        ),
    },
    "ja": {
        "message": (
            "モデルが見ていないノイズを予測するよう学習しています。ターゲットは別にサンプリングされたノイズです"
        ),
        "why": (
            "入力に混ぜたのは {line} 行目のノイズですが、ターゲットは {target} "
            "行目で新しくサンプリングされたもので、入力にはその情報がありません"
        ),
    },
}
