"""A recurrent state is handed to the next training step with its whole graph, so that every backward runs further back.

## What it finds
`backward(retain_graph=True)` in a loop whose loss still descends from the operators of all iterations before it.

## Why it hurts
Step n walks back through n steps: time and memory grow with every step until one of them runs out.

## Example
    out, h = rnn(chunk, h)
    loss_of(out).backward(retain_graph=True)

## Instead
    out, h = rnn(chunk, h.detach())
    loss_of(out).backward()

## Fix safety
Truncates the gradient at the step's border. Where a gradient through the whole sequence is intended, one backward over
the summed loss gives it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ...graph.flow import grouped, operands, tensors
from ...graph.training import ancestors, of_kind, place
from ...trace import Event, StepFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import Detach

code = "SW323"
LEAST = 3


def check(trace: Trace) -> Iterator[Facts]:
    passes = grouped((step.site, step) for step in of_kind(trace, "backward"))
    for site, steps in passes.items():
        # a group for every time that the loop was entered anew; the loop's cut leaves few passes
        for run in grouped((step.loop, step) for step in steps).values():
            reach = [_reach(trace, step) for step in run[:4]]
            kept = [len(set(earlier) & set(later)) for earlier, later in itertools.pairwise(reach)]
            longer = all(len(later) > len(earlier) for earlier, later in itertools.pairwise(reach))
            if len(reach) < LEAST or not longer or not all(0 < one < other for one, other in itertools.pairwise(kept)):
                continue
            border = run[len(reach) - 2].data["at"]
            found = _handed_on(reach[-1], border)
            if found is None or found.site is None:
                continue
            yield Facts(
                found.site,
                fields={
                    "first": len(reach[0]),
                    "last": len(reach[-1]),
                    "steps": len(reach),
                    "line": site.line if site else "?",
                },
                origins=place(trace, site),
                severity="warning",
                cause=(Shared.GROWING, found.site.file, found.site.line),
                remedy=Detach("state"),
            )


def _reach(trace: Trace, step: StepFact) -> dict[int, Event]:
    """The differentiable operators inside models that a pass walked back through."""
    return {
        index: event
        for fact in tensors(step.data.get("loss"))
        for index, event in ancestors(trace, fact).items()
        if event.modules and any(part.requires_grad for part in tensors(event.result))
    }


def _handed_on(reach: dict[int, Event], border: int) -> Event | None:
    """The first operator after `border` that reads, with gradients, what one before it had made."""
    for index in sorted(reach):
        if index >= border and any(
            part.requires_grad and 0 <= part.producer < border and part.kind == "tensor"
            for part in operands(reach[index])
        ):
            return reach[index]
    return None


MESSAGES = {
    "en": {
        "message": (
            "the state from the previous training step is carried over with its graph: every backward goes one step "
            "further back"
        ),
        "why": (
            "the backward of line {line} went through {first} operations of the model in the first step and through "
            "{last} in step {steps}; pass the state on with .detach()"
        ),
    },
    "es": {
        "message": (
            "el estado del paso de entrenamiento anterior se pasa con su grafo: cada backward retrocede un paso más"
        ),
        "why": (
            "el backward de la línea {line} recorrió {first} operaciones del modelo en el primer paso y {last} en el "
            "paso {steps}; el estado debe pasarse con .detach()"
        ),
    },
    "ja": {
        "message": (
            "前の学習ステップの状態を計算グラフごと引き継いでいるため、backward のたびにさかのぼる範囲が伸びます"
        ),
        "why": (
            "{line} 行目の backward は、最初のステップでモデルの演算を {first} 個、{steps} ステップ目で {last} "
            "個さかのぼりました。状態は .detach() してから渡してください"
        ),
    },
}
