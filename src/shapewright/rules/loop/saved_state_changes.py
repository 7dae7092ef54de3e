"""A state that was put aside goes on changing: `state_dict()` gives the module's own tensors, not copies.

## What it finds
`best = model.state_dict()` that is loaded again after more training: the tensors in it are the parameters themselves,
so that loading them
changes nothing. Also a first state, kept to begin anew with.

## Why it hurts
What is restored is the model as it is now, not as it was when it was best.

## Example
    if val_loss < best_loss:
        best_state = model.state_dict()
    ...
    model.load_state_dict(best_state)

## Instead
    best_state = copy.deepcopy(model.state_dict())

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.scopes import condition_in_loop
from ...graph.source import Source, walk
from ...graph.training import of_kind, place
from ...trace import Site, StepFact, Trace
from ..facts import Facts
from ..remedy import KeepCopy

code = "SW325"


def check(trace: Trace) -> Iterator[Facts]:
    """Every state that is loaded, was taken earlier, and is the module's own memory."""
    for load in of_kind(trace, "load"):
        kept = load.data.get("kept") or ()
        site = kept[-1] if kept else None
        if site is None or load.site is None or (site.file, site.line) == (load.site.file, load.site.line):
            continue
        if load.data["changed"] or (_picked(trace, site) and _trained_after(trace, site)):
            yield Facts(
                site,
                fields={"line": load.site.line, "text": Source(trace).site_text(site)},
                origins=place(trace, load.site),
                remedy=KeepCopy(state=True),
            )


def _picked(trace: Trace, site: Site) -> bool:
    """Whether the state is taken under a condition within a loop, as the best one is."""
    node = condition_in_loop(Source(trace).statement_at(site))
    leaves = (ast.Break, ast.Return)
    return node is not None and not any(isinstance(part, leaves) for one in node.body for part in walk(one))


def _trained_after(trace: Trace, site: Site) -> bool:
    """Whether an optimizer stepped after a state had been taken at this place."""
    taken: StepFact | None = next((step for step in of_kind(trace, "state") if step.site == site), None)
    return taken is not None and any(step.kind == "step" for step in trace.steps[taken.index :])


MESSAGES = {
    "en": {
        "message": "the state saved here keeps changing with the model: it is not a copy",
        "why": (
            "{text} returns the parameter tensors themselves, not copies; when line {line} loads them, they already "
            "contain the results of the later training, so nothing is restored"
        ),
    },
    "es": {
        "message": "el estado que se guarda aquí sigue cambiando con el modelo: no es una copia",
        "why": (
            "{text} devuelve los propios tensores de los parámetros, no copias; cuando la línea {line} los carga, ya "
            "contienen los resultados del entrenamiento posterior, así que no se restaura nada"
        ),
    },
    "ja": {
        "message": "ここで保存した状態はコピーではなく、モデルと一緒に変わり続けます",
        "why": (
            "{text} が返すのはパラメータのテンソルそのもので、コピーではありません。{line} "
            "行目で読み込む時点ではその後の学習で書き換わっており、何も復元されません"
        ),
    },
}
