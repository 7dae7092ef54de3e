"""Gradients are clipped where that has no effect: before `backward`, or after the step that used them.

## What it finds
A call of `clip_grad_norm_` or `clip_grad_value_` that in every iteration finds only gradients that are absent, zero, or
already used by a step; or one that is given no parameters at all, as from a generator that was used up before; or the
gradients of parameters other than those that the step updates; or gradients that a `GradScaler` has not unscaled yet.
Also weights that are kept small in the generator, not in the critic.

## Why it hurts
The step uses gradients that were not clipped: the large steps that clipping should prevent can still happen. Gradients
that are still scaled are clipped too much.

## Example
    clip_grad_norm_(model.parameters(), 1.0)
    loss.backward()
    optimizer.step()

## Instead
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()

## Fix safety
Safe where the line only has to be moved between `backward` and the step. The other cases get no edit.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import grouped, operands
from ...graph.ledger import ledger
from ...graph.opposition import pulls
from ...graph.training import of_kind, place
from ...trace import Event, StepFact, Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW324"


def check(trace: Trace) -> Iterator[Facts]:
    """Every place at which clipping never had anything to clip, though steps were made."""
    places = grouped(
        ((clip.site.file, clip.site.line), clip) for clip in of_kind(trace, "clip") if clip.site is not None
    )
    yield from _weights(trace)
    for (file, line), clips in places.items():
        other = _of_others(trace, clips)
        if other is not None:
            yield Facts(
                clips[-1].site,
                message="other",
                why="other_why",
                fields={"name": clips[-1].data["name"], "backward": other[0].site.line, "step": other[1].site.line},
                origins=place(trace, other[0].site) + place(trace, other[1].site),
                cause=(code, file, line),
            )
            continue
        scaled = min(clip.data["scaled"] for clip in clips)
        if scaled > 1 and _near(trace, clips, "step") is not None:
            yield Facts(
                clips[-1].site,
                message="scaled",
                why="scaled_why",
                fields={"name": clips[-1].data["name"], "scale": f"{scaled:g}"},
                origins=tuple(o for one in [_near(trace, clips, "backward")] if one for o in place(trace, one.site)),
                cause=(code, file, line),
            )
            continue
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


def _of_others(trace: Trace, clips: list[StepFact]) -> tuple[StepFact, StepFact] | None:
    """The backward before and the step after a clipping that was always given the gradients of parameters which this
    step does not change, and others do, while nothing clips those that it uses."""
    book, found = ledger(trace), None
    marks = list(of_kind(trace, "backward", "step"))
    for clip in clips:
        given = set(clip.data["held"])
        before = next((one for one in reversed(marks) if one.index < clip.index), None)
        after = next((one for one in marks if one.index > clip.index), None)
        if before is None or after is None or before.kind == "step" or after.kind != "step":
            return None
        used = set(after.data.get("used", ()))
        around = trace.steps[before.index : after.index]
        clipped = {uid for one in around if one.kind == "clip" for uid in one.data["held"]}
        if not (given and given <= book.stepped and used) or used & clipped or not (before.site and after.site):
            return None
        found = before, after
    return found


def _weights(trace: Trace) -> Iterator[Facts]:
    """Where the weights of a network are kept small that another network judges, and never those of the judge."""
    book = ledger(trace)
    clamped: dict[int, Event] = {}
    for event in trace.events:
        if event.op == "clamp_" and event.site is not None and not event.modules and operands(event):
            clamped.setdefault(book.aliased(operands(event)[0]), event)
    if not clamped.keys() - {0}:
        return
    for pull in pulls(trace):
        own = book.networks[pull.critic]
        makers = {uid for uid in pull.makers if uid in clamped}
        if makers and not own & clamped.keys():
            event = clamped[min(makers)]
            maker = next((trace.modules[m].kind for m in book.parameters[min(makers)].models if m in trace.modules), "")
            yield Facts(
                event.site,
                message="weights",
                why="weights_why",
                fields={"name": maker, "judge": trace.modules[pull.critic].kind, "line": pull.event.site.line},
                origins=place(trace, pull.event.site),
                event=event.index,
            )
            return


def _maker(trace: Trace, step: StepFact) -> tuple:
    """Where the optimizer was made that used the generator up."""
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
        "message": "the clipping by {name} has no effect",
        "other": (
            "{name} clips gradients that the next optimizer step does not use, because they belong to other parameters"
        ),
        "other_why": (
            "the step on line {step} uses the gradients computed on line {backward}, but updates none of the "
            "parameters that are clipped here: the gradients that this step uses are not clipped"
        ),
        "scaled": "{name} clips gradients that are still multiplied by the scale of the GradScaler",
        "scaled_why": (
            "the gradients here are still multiplied by {scale}, so the limit acts as if it were {scale} times "
            "smaller; call scaler.unscale_(optimizer) first"
        ),
        "weights": (
            "the weights of {name} are clamped instead of the weights of {judge}, which scores the output of {name}"
        ),
        "weights_why": (
            "the loss of line {line} requires {judge} to be Lipschitz-continuous, but only the weights of {name} are "
            "clamped"
        ),
        "before": (
            "the clipping runs before the backward of line {backward} computes the gradients; the step of line {step} "
            "uses them unclipped"
        ),
        "after": (
            "the clipping runs after the step on line {step} has already used the gradients computed on line {backward}"
        ),
        "empty": (
            "the clipping receives no parameters (a possible cause: the generator passed to it is already "
            "exhausted); the step of line {step} uses the gradients of line {backward} unclipped"
        ),
    },
    "es": {
        "message": "el recorte que hace {name} no tiene efecto",
        "other": (
            "{name} recorta gradientes que el siguiente paso del optimizador no usa, porque son de otros parámetros"
        ),
        "other_why": (
            "el paso de la línea {step} usa los gradientes calculados en la línea {backward}, pero no actualiza "
            "ninguno de los parámetros recortados aquí: los gradientes que usa ese paso quedan sin recortar"
        ),
        "scaled": "{name} recorta gradientes que siguen multiplicados por la escala del GradScaler",
        "scaled_why": (
            "aquí los gradientes siguen multiplicados por {scale}, así que el límite actúa como si fuera {scale} "
            "veces menor; antes hay que llamar a scaler.unscale_(optimizer)"
        ),
        "weights": "se acotan los pesos de {name} en lugar de los de {judge}, que evalúa la salida de {name}",
        "weights_why": (
            "la pérdida de la línea {line} exige que {judge} cumpla la condición de Lipschitz, pero solo se acotan los "
            "pesos de {name}"
        ),
        "before": (
            "el recorte se ejecuta antes de que el backward de la línea {backward} calcule los gradientes; el paso de "
            "la línea {step} los usa sin recortar"
        ),
        "after": (
            "el recorte se ejecuta después de que el paso de la línea {step} ya haya usado los gradientes calculados "
            "en la línea {backward}"
        ),
        "empty": (
            "el recorte no recibe ningún parámetro (posible causa: el generador que se le pasa ya está agotado); el "
            "paso de la línea {step} usa sin recortar los gradientes de la línea {backward}"
        ),
    },
    "ja": {
        "message": "{name} によるクリッピングが効いていません",
        "other": "{name} がクリップする勾配は別のパラメータのもので、次の更新では使われません",
        "other_why": (
            "{step} 行目の更新は {backward} 行目で求めた勾配を使いますが、ここでクリップされるパラメータは更新しません"
            "。この更新が使う勾配はクリップされていません"
        ),
        "scaled": "{name} は GradScaler のスケールが掛かったままの勾配をクリップしています",
        "scaled_why": (
            "ここでは勾配が本来の {scale} 倍なので、上限は {scale} 分の 1 であるかのように働きます。先に "
            "scaler.unscale_(optimizer) を呼んでください"
        ),
        "weights": "{name} の出力を評価する {judge} の重みではなく、{name} の重みが clamp されています",
        "weights_why": (
            "{line} 行目の損失では {judge} がリプシッツ連続でなければなりませんが、clamp されるのは {name} "
            "の重みだけです"
        ),
        "before": (
            "{backward} 行目の backward が勾配を求める前にクリッピングが実行されています。{step} "
            "行目の更新はクリップされていない勾配を使います"
        ),
        "after": "{backward} 行目で求めた勾配を {step} 行目の更新が使った後に、クリッピングが実行されています",
        "empty": (
            "クリッピングにパラメータが 1 つも渡されていません (考えられる原因: 渡したジェネレータがすでに使い切られ"
            "ている)。{step} 行目の更新は {backward} 行目の勾配をクリップせずに使います"
        ),
    },
}
