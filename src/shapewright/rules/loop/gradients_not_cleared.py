"""Gradients of the last step are still in place when `backward` runs again.

## What it finds
A training loop in which an optimizer steps, nothing clears the gradients, `backward` adds the next batch's gradients to
those already used, and the optimizer steps again.

## Why it hurts
Each step uses the sum of all gradients since they were last cleared, like a momentum that never fades.

## Example
    # loss.backward(); optimizer.step() with no optimizer.zero_grad().

## Instead
    # optimizer.zero_grad() before backward, once per step. Accumulating over several batches before one step is
    # not this fault.

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Origin, StepFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import InsertCall

code = "SW301"


def check(trace: Trace) -> Iterator[Facts]:
    pending: dict[int, StepFact] = {}
    last: dict[int, StepFact] = {}
    for step in trace.steps:
        if step.kind == "backward":
            for optimizer in step.data.get("stale_of", ()):
                pending.setdefault(optimizer, step)
        elif step.kind == "zero_grad":
            if "optimizer" in step.data:
                pending.pop(step.data["optimizer"], None)
            else:
                pending.clear()
        elif step.kind == "step":
            key = step.data["optimizer"]
            backward = pending.pop(key, None)
            if backward is not None and backward.site is not None:
                forward = next((s for s in reversed(trace.steps[: backward.index]) if s.kind == "forward"), None)
                yield Facts(
                    backward.site,
                    fields={
                        "step": last[key].site.line if key in last and last[key].site else 0,
                        "count": step.data["gradients"],
                    },
                    origins=(
                        *_cleared_instead(trace, step),
                        *place(trace, step.site),
                        *(place(trace, forward.site) if forward else ()),
                    ),
                    cause=(Shared.CLEARING,),
                    remedy=InsertCall("zero_grad"),
                )
            last[key] = step


def _cleared_instead(trace: Trace, step: StepFact) -> tuple[Origin, ...]:
    """Where the gradients of another optimizer are cleared, once more than it steps, before those of this step are
    made."""
    before = [one for one in trace.steps[: step.index] if one.kind in ("zero_grad", "step", "backward")]
    while before and before[-1].kind == "backward":
        before.pop()
    other = before[-1].data.get("optimizer") if before and before[-1].kind == "zero_grad" else None
    kinds = [one.kind for one in trace.steps if other is not None and one.data.get("optimizer") == other]
    twice = other != step.data["optimizer"] and kinds.count("zero_grad") > kinds.count("step") + 1
    return place(trace, before[-1].site) if twice else ()


MESSAGES = {
    "en": {
        "message": (
            "backward adds to gradients that an optimizer step has already used: the gradients are not cleared in "
            "between"
        ),
        "why": (
            "the optimizer stepped on line {step}; its gradients ({count}) were not cleared before backward ran "
            "again, so the next step used the sum"
        ),
    },
    "es": {
        "message": (
            "backward acumula gradientes sobre los que un paso del optimizador ya usó: no se borran entre medias"
        ),
        "why": (
            "el optimizador dio un paso en la línea {step}; sus gradientes ({count}) no se borraron antes de que "
            "backward se ejecutara de nuevo, y el paso siguiente usó la suma"
        ),
    },
    "ja": {
        "message": "更新に使い終えた勾配に backward が加算されています。間でクリアされていません",
        "why": (
            "{step} 行目で更新に使われた {count} 個の勾配が残ったまま backward が再び実行され、"
            "次の更新はその合計を使いました"
        ),
    },
}
