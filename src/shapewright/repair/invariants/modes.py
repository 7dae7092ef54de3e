"""Training mode where training happens: what reached a loss in training mode still does."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import losses
from ...trace import Trace
from .change import Change

TEXTS = {
    "mode": {
        "en": "{module} would be trained in evaluation mode",
        "es": "{module} se entrenaría en modo de evaluación",
        "ja": "{module} が評価モードのまま学習されることになります",
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
