"""The learning rate is scheduled before the optimizer's first step.

## What it finds
`scheduler.step()` called before `optimizer.step()` in the first training iteration. `scheduler.step(epoch)` takes the
rate of that epoch and skips none.

## Why it hurts
The schedule runs ahead: each of its values comes one call early.

## Example
    scheduler.step(); optimizer.step()

## Instead
    optimizer.step(); scheduler.step()

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import of_kind, place
from ...trace import Trace
from ..facts import Facts
from ..remedy import MoveLine

code = "SW310"


def check(trace: Trace) -> Iterator[Facts]:
    stepped: set[int] = set()
    for step in of_kind(trace, "step", "schedule"):
        key = step.data["optimizer"]
        if step.kind == "step":
            stepped.add(key)
        elif key not in stepped and step.site is not None and not step.data.get("placed"):
            later = next(
                (s for s in trace.steps[step.index :] if s.kind == "step" and s.data["optimizer"] == key), None
            )
            if later is not None:
                yield Facts(
                    step.site,
                    fields={"scheduler": step.data["class"], "line": later.site.line if later.site else 0},
                    origins=place(trace, later.site),
                    severity="warning",
                    cause=(code, key),
                    remedy=MoveLine(),
                )


MESSAGES = {
    "en": {
        "message": "{scheduler} steps before the first step of the optimizer",
        "why": (
            "the scheduler is one value ahead: the optimizer step on line {line} already uses the second learning rate "
            "of the schedule"
        ),
    },
    "es": {
        "message": "{scheduler} avanza antes del primer paso del optimizador",
        "why": (
            "el scheduler va un paso adelantado: el paso del optimizador en la línea {line} ya usa la segunda tasa de "
            "aprendizaje"
        ),
    },
    "ja": {
        "message": "オプティマイザの最初の更新より前に {scheduler} が進んでいます",
        "why": "スケジューラが 1 つ先に進み、{line} 行目の更新ではすでに 2 番目の学習率が使われます",
    },
}
