"""Gradients are clipped when there are none to clip: before `backward`, or after the step that used them.

## What it finds
A call of `clip_grad_norm_` or `clip_grad_value_` that in every iteration finds only gradients that are absent, zero, or
already used by a
step; or one that is given no parameters at all, since a generator was used up before.

## Why it hurts
The step that follows uses the gradients as they are. The large steps that clipping should prevent still happen.

## Example
    clip_grad_norm_(model.parameters(), 1.0)
    loss.backward()
    optimizer.step()

## Instead
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()

## Fix safety
Safe: the line is moved between `backward` and the step.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import of_kind, place
from ...trace import StepFact, Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW324"
slug = "clipping-without-effect"
order = 25


def check(trace: Trace) -> Iterator[Facts]:
    """Every place at which clipping never had anything to clip, though steps were made."""
    places: dict[tuple, list[StepFact]] = {}
    for clip in of_kind(trace, "clip"):
        if clip.site is not None:
            places.setdefault((clip.site.file, clip.site.line), []).append(clip)
    for (file, line), clips in places.items():
        if any(clip.data["fresh"] for clip in clips):
            continue
        first = clips[-1]
        backward, step = _near(trace, clips, "backward"), _near(trace, clips, "step")
        if backward is None or step is None:
            continue
        if all(clip.data["parameters"] == 0 for clip in clips):
            why = "empty"
        elif (
            clips[-1].data["spent"] == clips[-1].data["parameters"] > 0
            and line > step.site.line > backward.site.line
            and not _between(trace, clips, "zero_grad")
        ):
            why = "after"
        elif step.site.line > backward.site.line > line and any(
            s.index > clips[0].index for s in of_kind(trace, "backward")
        ):
            why = "before"
        else:
            continue
        yield Facts(
            first.site,
            why=why,
            fields={"name": first.data["name"], "backward": backward.site.line, "step": step.site.line},
            origins=(_maker(trace, step) if why == "empty" else ())
            + place(trace, backward.site)
            + place(trace, step.site),
            cause=(code, file, line),
            remedy=MoveLine(backward.site) if why != "empty" else None,
        )


def _maker(trace: Trace, step: StepFact) -> tuple:
    """Where the optimiser was made that used the generator up."""
    made = next((one for one in of_kind(trace, "optimizer") if one.data["optimizer"] == step.data["optimizer"]), None)
    return place(trace, made.site) if made is not None else ()


def _near(trace: Trace, clips: list[StepFact], kind: str) -> StepFact | None:
    """The nearest landmark of a kind in the file and function of the clipping."""
    site = clips[0].site
    found = [
        step
        for step in of_kind(trace, kind)
        if step.site is not None and step.site.file == site.file and step.site.function == site.function
    ]
    return min(found, key=lambda step: min(abs(step.index - clip.index) for clip in clips), default=None)


def _between(trace: Trace, clips: list[StepFact], kind: str) -> bool:
    """Whether a landmark of a kind comes between the last step and the clipping."""
    for step in reversed(trace.steps[: clips[-1].index]):
        if step.kind == "step":
            return False
        if step.kind == kind:
            return True
    return False


MESSAGES = {
    "en": {
        "message": "{name} clips nothing: there are no gradients yet when it is called",
        "before": (
            "the clipping runs before the backward of line {backward} computes the gradients; the step of line "
            "{step} uses them unclipped"
        ),
        "after": (
            "the clipping is called after the step of line {step} has already used the gradients that backward "
            "computed on line {backward}"
        ),
        "empty": (
            "the clipping receives no parameters: the generator passed to it was already exhausted; the step of "
            "line {step} uses the gradients of line {backward} unclipped"
        ),
    },
    "es": {
        "message": "{name} no recorta nada: cuando se llama aún no hay gradientes",
        "before": (
            "el recorte se ejecuta antes de que el backward de la línea {backward} calcule los gradientes; el paso "
            "de la línea {step} los usa sin recortar"
        ),
        "after": (
            "el recorte se llama después de que el paso de la línea {step} ya haya usado los gradientes que "
            "backward calculó en la línea {backward}"
        ),
        "empty": (
            "el recorte no recibe ningún parámetro: el generador que se le pasa ya se había agotado; el paso de la "
            "línea {step} usa sin recortar los gradientes de la línea {backward}"
        ),
    },
    "ja": {
        "message": "{name} が呼ばれる時点で勾配がまだなく、クリッピングが効いていません",
        "before": (
            "{backward} 行目の backward が勾配を求める前にクリッピングが呼ばれています。{step} "
            "行目の更新はクリップされていない勾配を使います"
        ),
        "after": (
            "{backward} 行目の backward で求めた勾配を {step} 行目の更新が使い終えた後にクリッピングが呼ばれています"
        ),
        "empty": (
            "渡されたジェネレータはすでに使い切られており、パラメータが 1 つも渡っていません。{step} "
            "行目の更新は {backward} 行目の勾配をそのまま使います"
        ),
    },
}
