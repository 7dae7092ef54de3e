"""Targets are shifted by the script and once more by the model.

## What it finds
A loss whose targets are the input tokens two steps later: labels that were moved by one before they were given to a
model that moves them itself, as the causal models of Hugging Face do.

## Why it hurts
The model learns to predict the token after the next.

## Example
    model(input_ids=ids[:, :-1], labels=ids[:, 1:])

## Instead
    model(input_ids=ids, labels=ids)

## Fix safety
Safe for models that shift their labels themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.cuts import cut_at
from ...graph.training import made_at, of_kind, place
from ...trace import Causality, TensorFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..remedy import Shift

code = "SW261"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    for answer in (*trace.answers(Causality), *trace.answers(Causality, True)):
        site = answer.data.loss
        if answer.data.shift != 2 or site is None:
            continue
        labels = next(
            (
                fact
                for s in of_kind(trace, "forward")
                if s.data["module"] == answer.module and isinstance(fact := s.data["kwargs"].get("labels"), TensorFact)
            ),
            None,
        )
        yield Facts(
            site,
            why="inside" if answer.data.inside else "why",
            fields={"model": answer.data.model, "compared": answer.data.compared},
            origins=made_at(trace, labels, site)
            + place(trace, answer.site)
            + cut_at(trace, next((event for event in trace.events if event.index == answer.data.event), site)),
            cause=(Shared.SHIFT, answer.module),
            event=answer.data.event,
            remedy=Shift(back=True),
        )


MESSAGES = {
    "en": {
        "message": "the targets of {model} are two steps ahead of its input: they were shifted twice",
        "why": "all {compared} targets equal the input two steps later",
        "inside": (
            "{model} shifts its labels by one step itself, but the labels were already shifted: all {compared} targets "
            "equal the input two steps later"
        ),
    },
    "es": {
        "message": "los objetivos de {model} van dos pasos por delante de su entrada: se desplazaron dos veces",
        "why": "los {compared} objetivos son iguales a la entrada dos pasos después",
        "inside": (
            "{model} desplaza por sí mismo sus etiquetas un paso, pero las recibe ya desplazadas: los {compared} "
            "objetivos son iguales a la entrada dos pasos después"
        ),
    },
    "ja": {
        "message": "{model} のターゲットが入力より 2 ステップ先になっています。2 回ずらされています",
        "why": "{compared} 個のターゲットはすべて、2 ステップ後の入力と等しくなっています",
        "inside": (
            "{model} は内部でラベルを 1 ステップずらしますが、ラベルは渡される前にもずらされています。{compared} 個のタ"
            "ーゲットはすべて、2 ステップ後の入力と等しくなっています"
        ),
    },
}
