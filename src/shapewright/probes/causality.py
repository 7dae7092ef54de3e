"""Where a loss asks for the next token: does an output depend on tokens that come after it?

The call is played as it was and with the later half of the tokens cut away; the outputs before the cut must stay as
they are. The same cut
tells of a model that is asked for the very token it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from ..trace import ProbeFact
from .align import Change, difference, tolerance
from .asking import Budget
from .blame import culprit
from .parts import leaves, rebuilt
from .replay import Play, play
from .shifted import Shift, shift
from .subject import Subject

QUESTION = "causality"
PLAYS = 2.0
ORDER = 30


def ask(subject: Subject, budget: Budget) -> Iterator[ProbeFact]:
    """`holds`: no output depends on a later token. `data` has `shift` (0: asked for the token itself, 1: the next, 2:
    the one after), `compared`
    tokens, `steps`, `cut`, `largest`, `scale`, `op`, `modules`, `loss` and `loss_stack` (where the loss is computed),
    `inside` (by a module), `own` (whether an output depends on the
    token of its own step)."""
    told = shift(subject)
    if told is None:
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "the targets are not the input shifted"})
        return
    length = told.steps // 2
    change = Change(told.steps, tuple(range(length)))
    short = _cut(subject, told, length)
    whole = play(subject, subject.inputs)
    if not budget.allows(PLAYS * whole.seconds):
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "budget"})
        return
    cut = play(subject, short)
    kept = [
        p
        for p in whole.outputs
        if p in cut.outputs and whole.outputs[p].is_floating_point() and change.axes(whole.outputs[p], cut.outputs[p])
    ]
    if not kept:
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "no output keeps the time axis"})
        return
    places = subject.run.sources.sites(told.loss.stack)
    data: dict[str, Any] = {
        "shift": told.by,
        "compared": told.compared,
        "steps": told.steps,
        "cut": length,
        "model": type(subject.module).__name__,
        "inside": told.loss.inside,
        "loss": places[-1] if places else None,
        "loss_stack": places,
        "event": told.loss.event,
        "path": tuple(map(str, told.path)),
    }
    path = next((p for p in kept if _apart(whole, cut, p, change)), None)
    if path is None:
        data["own"] = told.by != 0 or _own_read(subject, told, whole)
        called = subject.run.sources.sites(subject.capture.stack)
        yield ProbeFact(QUESTION, True, subject.uid, called[-1] if called else None, called, data=data)
        return
    if any(
        _apart(whole, play(subject, subject.inputs, seed=1), p, Change(told.steps, tuple(range(told.steps))))
        for p in (path,)
    ):
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "the model is random"})
        return
    largest, scale, _ = difference(whole.outputs[path], cut.outputs[path], change)
    data |= {"largest": largest, "scale": scale, "op": ""}
    found = culprit(play(subject, subject.inputs, record=True), play(subject, short, record=True), change, path)
    stack = subject.run.sources.sites(subject.capture.stack + (found[0].stack if found else ()))
    if found is not None:
        data |= {"op": found[0].op, "modules": found[0].modules, "args": found[0].args, "kwargs": found[0].kwargs}
    yield ProbeFact(QUESTION, False, subject.uid, stack[-1] if stack else None, stack, data=data)


def _own_read(subject: Subject, told: Shift, whole: Play) -> bool:
    """Whether another last token changes an output: a model that shifts its tokens itself does not read that one."""

    def other(path: tuple, leaf: Any) -> Any:
        if path != told.path:
            return leaf
        changed = leaf.clone()
        last = changed.select(told.axis, told.steps - 1)
        last.copy_(last.roll(1, 0) if not torch.equal(last.roll(1, 0), last) else changed.select(told.axis, 0).clone())
        return changed

    played = play(subject, rebuilt(subject.inputs, other))
    every = Change(told.steps, tuple(range(told.steps)))
    return any(
        _apart(whole, played, path, every)
        for path in whole.outputs
        if path in played.outputs and whole.outputs[path].is_floating_point()
    )


def _apart(whole: Play, cut: Play, path: tuple, change: Change) -> bool:
    largest, scale, _ = difference(whole.outputs[path], cut.outputs[path], change)
    return largest > tolerance(whole.outputs[path].dtype, scale)


def _cut(subject: Subject, told: Shift, length: int) -> tuple:
    """The tokens, what marks them and what masks them, without the later steps; other inputs, such as a source text,
    stay whole."""
    tokens = next(leaf for path, leaf in leaves(subject.inputs) if path == told.path)

    def shorten(path: tuple, leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor):
            return leaf
        if path == told.path:
            return leaf.narrow(told.axis, 0, length)
        square = leaf.dim() >= 2 and leaf.shape[-1] == leaf.shape[-2] == told.steps
        marks = (
            leaf.dim() == 2
            and leaf.shape[told.axis] == told.steps
            and ("labels" in path or bool(((leaf == 0) | (leaf == 1)).all()))
        )
        asked = leaf.shape == tokens.shape[:2] and torch.equal(leaf.flatten(), told.loss.target.flatten())
        counts = leaf.dim() == 1 and leaf.shape[0] == told.steps and torch.equal(leaf.long(), torch.arange(told.steps))
        if square:
            return leaf[..., :length, :length]
        if marks or asked:
            return leaf.narrow(told.axis, 0, length)
        return leaf[:length] if counts else leaf

    return rebuilt(subject.inputs, shorten)
