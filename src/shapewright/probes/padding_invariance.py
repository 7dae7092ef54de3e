"""Does a padded sequence get the same answer without its padding?

The shortest sample of a padded batch is played twice: as it stands, and cut to its own length. Where the outputs differ, the walk back names
the operator that let the padding in.
"""

from __future__ import annotations

from typing import Any, Iterator

from ..trace import ProbeFact
from .align import Change, difference, tolerance
from .asking import Budget
from .blame import culprit, operands
from .padded import padding
from .replay import play
from .subject import Subject

QUESTION = "padding-invariance"
ORDER = 20


def ask(subject: Subject, budget: Budget) -> Iterator[ProbeFact]:
    """`data` has `length` and `padded` (of the sample), `largest`, `scale`, `alone` and `together` (the value that differs most), `how` the padding is
    known, `where` it was done, `op`, `leaf` (which of its results), `token` (the output keeps the time axis), `args`, `modules`, `before`."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "no padding is certain"})
        return
    sample = min(range(len(told.lengths)), key=lambda i: told.lengths[i])
    length = told.lengths[sample]
    change = Change(told.longest, tuple(range(length)))
    long, short = told.cut(subject.inputs, batching, sample, told.longest), told.cut(subject.inputs, batching, sample, length)
    whole, cut = play(subject, long), play(subject, short)
    paths = [path for path in whole.outputs if path in cut.outputs and whole.outputs[path].dim() == cut.outputs[path].dim()]
    apart = [path for path in paths if _apart(whole, cut, path, change)]
    if not apart:
        yield ProbeFact(QUESTION, True, subject.uid, data={"length": length, "padded": told.longest, "how": told.how})
        return
    path = next((p for p in apart if not change.axes(whole.outputs[p], cut.outputs[p])), apart[0])
    if any(_apart(whole, play(subject, long, seed=1), p, Change(told.longest, tuple(range(told.longest)))) for p in (path,)):
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "the model is random"})
        return
    data: dict[str, Any] = {
        "length": length, "padded": told.longest, "how": told.how, "where": told.site, "model": type(subject.module).__name__,
        "token": bool(change.axes(whole.outputs[path], cut.outputs[path])), **_numbers(whole.outputs[path], cut.outputs[path], change),
    }
    whole, cut = play(subject, long, record=True), play(subject, short, record=True)
    found = culprit(whole, cut, change, path)
    if found is None:
        yield ProbeFact(QUESTION, False, subject.uid, data=data | {"op": ""})
        return
    full, part = found
    stack = subject.run.sources.sites(subject.capture.stack + full.stack)
    leaf = [i for i, (a, b) in enumerate(zip(full.results, part.results)) if a.dim() != b.dim() or difference(a, b, change)[0] > tolerance(a.dtype, float(a.abs().max()))]
    data |= {
        "op": full.op, "args": full.args, "kwargs": full.kwargs, "modules": full.modules, "leaf": tuple(leaf),
        "before": [(tuple(a.shape), change.axes(a, b)) for a, b in operands(whole, full, cut, part)],
        "after": [(tuple(a.shape), change.axes(a, b)) for a, b in zip(full.results, part.results)],
    }
    yield ProbeFact(QUESTION, False, subject.uid, stack[-1] if stack else None, stack, data=data)


def _apart(whole: Any, cut: Any, path: tuple, change: Change) -> bool:
    left, right = whole.outputs[path], cut.outputs[path]
    largest, scale, _ = difference(left, right, change)
    return largest > tolerance(left.dtype, scale)


def _numbers(left: Any, right: Any, change: Change) -> dict[str, Any]:
    largest, scale, gap = difference(left, right, change)
    numbers = {"largest": largest, "scale": scale}
    if gap is not None and left.shape == right.shape and left.is_floating_point():
        at = int(gap.flatten().argmax())
        numbers |= {"together": float(left.flatten()[at]), "alone": float(right.flatten()[at])}
    return numbers
