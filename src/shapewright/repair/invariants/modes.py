"""Training mode where training happens: what reached a loss in training mode still does."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import losses
from ...trace import ModuleFact, Trace
from .change import Change

TEXTS = {
    "mode": {
        "en": "{module} would be trained in evaluation mode",
        "es": "{module} se entrenaría en modo de evaluación",
        "ja": "{module} が評価モードのまま学習されることになります",
    },
    "other-mode": {
        "en": "this undoes the switch on line {line}, which may be intended for {module}: it runs in training mode",
        "es": "esto anula el cambio de la línea {line}, que quizá se refiera a {module}: se ejecuta en modo de "
        "entrenamiento",
        "ja": "{line} 行目の切り替えを打ち消します。その対象は、学習モードで実行される {module} かもしれません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """Models that trained in training mode before, and do not any more; of a script that stopped, those that a loss was
    computed from."""
    was, now = _trained(change.before), _trained(change.after)
    switched = "eval" in change.added or "train" in change.added
    for path, training in now.items():
        if not training and (was.get(path, False) or (switched and path not in was)):
            yield "mode", {"module": path}
    if change.written["train"] > 0:
        yield from _meant_for_another(change.before)


def _meant_for_another(trace: Trace) -> Iterator[tuple[str, dict]]:
    """Models that are switched to evaluation and only train, while another one that no loss trains, and that nothing
    switched, runs without gradients in training mode."""
    calls = [step for step in trace.steps if step.kind == "forward"]
    switched = {step.data.get("module"): step for step in trace.steps if step.kind == "eval"}
    for uid, switch in switched.items():
        own = [step for step in calls if step.data["module"] == uid]
        if not own or not all(step.data["grad"] for step in own):
            continue
        for other in calls:
            module = trace.modules.get(other.data["module"])
            same = [step for step in calls if step.data["module"] == other.data["module"]]
            idle = not any(step.data["grad"] for step in same) and any(other.data["stochastic"].values())
            if idle and other.data["module"] not in switched and module is not None and switch.site is not None:
                yield "other-mode", {"line": switch.site.line, "module": _called(trace, module)}


def _called(trace: Trace, module: ModuleFact) -> str:
    """A module by its class and the line that made it."""
    return f"{module.kind} ({module.site.line})" if module.site is not None else module.kind


def _trained(trace: Trace) -> dict[str, bool]:
    """The outermost modules that were called between one backward and the one before it, and whether all of these calls
    with gradients were in training mode."""
    found: dict[str, bool] = {}
    passes = [step.index for step in trace.steps if step.kind == "backward"]
    used = {fact.producer for _, fact in losses(trace)}
    for step in trace.steps:
        if step.kind == "forward" and step.data["grad"] and used and any(index > step.index for index in passes):
            module = trace.modules.get(step.data["module"])
            if module is not None and step.data["stochastic"]:
                end = next(index for index in passes if index > step.index)
                near = [
                    s
                    for s in trace.steps[step.index : end]
                    if s.kind == "forward" and s.data["module"] == step.data["module"]
                ]
                if near[-1] is step:
                    found[module.kind] = found.get(module.kind, True) and step.data["training"]
    return found
