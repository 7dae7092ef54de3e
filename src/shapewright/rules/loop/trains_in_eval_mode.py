"""Training goes on in evaluation mode after a validation.

## What it finds
The same training line calls a model first in training mode and later in evaluation mode: `eval()` was called in between
and nothing switched back. Or a model is set to evaluation mode before its first training step, and its dropout layers
are active in no step at all.

## Why it hurts
Then the model learns without dropout, and BatchNorm that keeps running statistics normalizes with them and no longer
updates them.

## Example
    # validate() calls model.eval() inside the epoch; model.train() is only before the loop.

## Instead
    # model.train() after every validation, or at the head of each iteration.

## Fix safety
Safe. Normalization alone may be frozen on purpose from the start, and so may a model whose weights were loaded.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.flow import argument
from ...graph.source import Source
from ...graph.training import ancestors, losses, place
from ...trace import Origin, Site, StepFact, Trace
from ...trace.event import READY_MADE
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import SwitchMode
from .dropout_ignores_eval import DROPOUTS

code = "SW306"


def check(trace: Trace) -> Iterator[Facts]:
    """Every call that trained in training mode before, and trains in evaluation mode now."""
    yield from _functional(trace)
    yield from _never(trace)
    trained: dict[tuple, StepFact] = {}
    told = set()
    for step in trace.steps:
        if step.kind != "forward" or not step.data["grad"] or step.site is None:
            continue
        stochastic = step.data["stochastic"]
        key = (step.data["module"], step.site)
        if not stochastic or key in told or not _learns(trace, step):
            continue
        active = {name for name, training in stochastic.items() if training}
        if key not in trained:
            if active:
                trained[key] = step
            continue
        before = {name for name, training in trained[key].data["stochastic"].items() if training}
        if active or not before:
            continue
        switch = next(
            (s for s in reversed(trace.steps[: step.index]) if s.kind == "eval" and s.index > trained[key].index), None
        )
        if switch is None or switch.site is None or _by_parts(trace, trained[key], step) or _chosen(trace, switch):
            continue
        told.add(key)
        back = next((s for s in reversed(trace.steps[: trained[key].index]) if s.kind == "train"), None)
        yield _facts(trace, step, step.data["module"], switch, sorted(before), back.site if back else None)


def _chosen(trace: Trace, switch: StepFact) -> bool:
    """Whether a mode was computed: `body.train(not frozen)`."""
    call = Source(trace).node_at(switch.site, (ast.Call,))
    given = [*call.args, *(one.value for one in call.keywords)] if isinstance(call, ast.Call) else []
    return any(not isinstance(one, ast.Constant) for one in given)


def _by_parts(trace: Trace, trained: StepFact, forward: StepFact) -> bool:
    """Whether the model was set to training mode anew since it `trained` whole, and only parts of it to evaluation
    mode after that: frozen on purpose."""
    since = trace.steps[trained.index : forward.index]
    own = [step.kind for step in since if step.is_switch and step.data.get("module") == forward.data["module"]]
    return own[-1:] == ["train"]


def _functional(trace: Trace) -> Iterator[Facts]:
    """A model that hands its own mode to `functional.dropout`, and has no layer that would show it."""
    if not any(event.op in DROPOUTS for event in trace.events):
        return
    modes: dict[tuple[Site, int], bool] = {}
    told: set[Site] = set()
    for step, loss in losses(trace):
        # what ran before the last switch to training mode handed on the data as they were, and is of another pass
        begun = max((s.data["at"] for s in trace.steps[: step.index] if s.kind == "train"), default=-1)
        for index, event in sorted(ancestors(trace, loss).items()):
            if event.op not in DROPOUTS or not event.modules or event.site is None or event.site in told:
                continue
            if index < begun:
                continue
            own = trace.modules.get(event.modules[-1])
            if own is None or own.is_ready_made or "grad" not in event.flags:
                continue
            training = argument(event, 2, "training", True)
            before = modes.setdefault((event.site, own.uid), bool(training))
            if training or not before:
                continue
            told.add(event.site)
            switch = next(
                (s for s in reversed(trace.steps[: step.index]) if s.kind == "eval" and s.data["at"] <= index), None
            )
            call = next((s for s in reversed(trace.steps[: step.index]) if s.kind == "forward" and s.site), None)
            if switch is None or switch.site is None or call is None or call.data["module"] != event.modules[0]:
                continue
            yield _facts(trace, call, event.modules[0], switch, [event.op])
            return


def _never(trace: Trace) -> Iterator[Facts]:
    """A model that the script itself put into evaluation mode before it learns, and whose dropout no step uses."""
    alive = {step.data["module"] for step in trace.steps if step.kind == "load"}
    asleep: dict[int, tuple[StepFact, set[str]]] = {}
    for step, loss in losses(trace) if any(event.op in DROPOUTS for event in trace.events) else ():
        for event in ancestors(trace, loss).values():
            if event.op not in DROPOUTS or not event.modules or "grad" not in event.flags:
                continue
            libraries = {trace.modules[uid].config.get("library") for uid in event.modules if uid in trace.modules}
            if argument(event, 2, "training", True) or libraries & (READY_MADE - {"torch"}):
                alive.add(event.modules[0])  # a library's model may come with weights and be tuned as it is used
            elif argument(event, 1, "p", 0.5) and event.modules[-1] in trace.modules:
                path = trace.modules[event.modules[-1]].path
                asleep.setdefault(event.modules[0], (step, set()))[1].add(path)
    for uid, (step, names) in asleep.items():
        own = [one for one in trace.steps[: step.index] if one.data.get("module") == uid]
        switch = next((one for one in reversed(own) if one.is_switch), None)
        call = next((one for one in reversed(own) if one.kind == "forward" and one.site), None)
        if uid not in alive and switch is not None and switch.kind == "eval" and switch.site and call is not None:
            yield _facts(trace, call, uid, switch, sorted(names), never=True)


def _facts(
    trace: Trace,
    call: StepFact,
    uid: int,
    switch: StepFact,
    switched: list[str],
    before: Site | None = None,
    never: bool = False,
) -> Facts:
    """What is told of a model (its `uid`) at one of its calls, with what `switch` turned off and where training mode
    had been set `before`, if it ever was."""
    module = trace.modules.get(uid)
    return Facts(
        call.site,
        message="never" if never else "message",
        why="why_never" if never else "why",
        fields={
            "model": module.kind if module else "",
            "line": switch.site.line,
            "count": len(switched),
            "names": ", ".join(switched[:3]),
        },
        origins=place(trace, switch.site)
        + tuple(o for site in reversed(switch.stack[:-1]) for o in place(trace, site))
        + _left(trace, switch.site)
        + place(trace, before),
        cause=(Shared.EVALUATING, uid),
        remedy=SwitchMode(True),
    )


def _left(trace: Trace, switch: Site) -> tuple[Origin, ...]:
    """The last statement of the block that switches to evaluation mode: what follows it trains again."""
    source = Source(trace)
    statement = source.statement_on(switch.file, switch.line)
    block = getattr(getattr(statement, "parent", None), "body", None)
    if statement is None or not isinstance(block, list) or statement not in block or block[-1] is statement:
        return ()
    return place(trace, source.site(block[-1], switch.file))


def _learns(trace: Trace, forward: StepFact) -> bool:
    """Whether a backward follows before the line is reached again."""
    for step in trace.steps[forward.index + 1 :]:
        if step.kind == "backward":
            return True
        if step.kind == "forward" and step.site == forward.site:
            return False
    return False


MESSAGES = {
    "en": {
        "message": "{model} continues training in evaluation mode: train() was not called after eval() on line {line}",
        "why": (
            "this line called the model in training mode before; now the model trains with dropout or normalization "
            "layers in evaluation mode ({count}: {names})"
        ),
        "never": "{model} trains in evaluation mode: no train() follows the eval() on line {line}",
        "why_never": (
            "dropout layers are off in every training step ({count}: {names}), so the model trains without dropout"
        ),
    },
    "es": {
        "message": (
            "{model} se sigue entrenando en modo de evaluación: no se llamó a train() después del eval() de la línea "
            "{line}"
        ),
        "why": (
            "al principio, esta línea llamaba al modelo en modo de entrenamiento; después, el modelo se entrena con "
            "capas de dropout o normalización en modo de evaluación ({count}: {names})"
        ),
        "never": "{model} se entrena en modo de evaluación: ningún train() sigue al eval() de la línea {line}",
        "why_never": (
            "las capas de dropout están desactivadas en todos los pasos de entrenamiento ({count}: {names}), así que "
            "el modelo se entrena sin dropout"
        ),
    },
    "ja": {
        "message": "{line} 行目の eval() の後に train() が呼ばれず、{model} が評価モードのまま学習を続けています",
        "why": (
            "この行は以前はモデルを学習モードで呼んでいました。今は、ドロップアウト層や正規化層 {count} 個 "
            "({names}) を評価モードにしたまま、モデルが学習しています"
        ),
        "never": "{line} 行目の eval() の後に train() が呼ばれず、{model} が評価モードのまま学習しています",
        "why_never": (
            "どの学習ステップでもドロップアウト層 {count} 個 ({names}) が無効なので、"
            "モデルはドロップアウトなしで学習します"
        ),
    },
}
