"""Does a padded sequence get the same answer without its padding?

The shortest sample of a padded batch is played twice: as it stands, and cut to its own length. Where the outputs
differ, the walk back names
the operator that let the padding in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..trace import ProbeFact, TensorFact
from .align import Change, difference, tolerance
from .asking import Budget
from .blame import culprit, operands
from .padded import padding
from .replay import play
from .subject import Subject

QUESTION = "padding-invariance"
PLAYS = 2.0
ORDER = 20


def ask(subject: Subject, budget: Budget) -> Iterator[ProbeFact]:
    """`data` has `length` and `padded` (of the sample), `largest`, `scale`, `alone` and `together` (the value that
    differs most), `how` the padding is
    known, `where` it was done, `op`, `leaf` (which of its results), `token` (the output keeps the time axis), `args`,
    `modules`, `before`."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "no padding is certain"})
        return
    sample = min(range(len(told.lengths)), key=lambda i: told.lengths[i])
    length = told.lengths[sample]
    change = Change(told.longest, tuple(range(length)))
    long, short = (
        told.cut(subject.inputs, batching, sample, told.longest),
        told.cut(subject.inputs, batching, sample, length),
    )
    whole = play(subject, long)
    if not budget.allows(PLAYS * whole.seconds):
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "budget"})
        return
    cut = play(subject, short)
    paths = [
        path for path in whole.outputs if path in cut.outputs and whole.outputs[path].dim() == cut.outputs[path].dim()
    ]
    told_of = [
        path for path in paths if whole.outputs[path].dim() >= 1
    ]  # one number beside answers is a side loss (a router's balance), not an answer
    apart = [path for path in told_of or paths if _apart(whole, cut, path, change) and _used(subject, path)]
    if not apart:
        outside = _read_outside(subject, batching, told, sample, whole, cut, change)
        if outside is not None:
            yield outside
            return
        yield ProbeFact(QUESTION, True, subject.uid, data={"length": length, "padded": told.longest, "how": told.how})
        return
    path = next((p for p in apart if not change.axes(whole.outputs[p], cut.outputs[p])), apart[0])
    if any(
        _apart(whole, play(subject, long, seed=1), p, Change(told.longest, tuple(range(told.longest)))) for p in (path,)
    ):
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "the model is random"})
        return
    data: dict[str, Any] = {
        "length": length,
        "padded": told.longest,
        "how": told.how,
        "where": told.site,
        "model": type(subject.module).__name__,
        "token": bool(change.axes(whole.outputs[path], cut.outputs[path])),
        **_numbers(whole.outputs[path], cut.outputs[path], change),
    }
    whole, cut = play(subject, long, record=True), play(subject, short, record=True)
    found = culprit(whole, cut, change, path)
    if found is None:
        yield ProbeFact(QUESTION, False, subject.uid, data=data | {"op": ""})
        return
    full, part = found
    stack = subject.run.sources.sites(subject.capture.stack + full.stack)
    leaf = [
        i
        for i, (a, b) in enumerate(zip(full.results, part.results))
        if a.dim() != b.dim() or difference(a, b, change)[0] > tolerance(a.dtype, float(a.abs().max()))
    ]
    data |= {
        "op": full.op,
        "args": full.args,
        "kwargs": full.kwargs,
        "modules": full.modules,
        "leaf": tuple(leaf),
        "before": [(tuple(a.shape), change.axes(a, b)) for a, b in operands(whole, full, cut, part)],
        "after": [(tuple(a.shape), change.axes(a, b)) for a, b in zip(full.results, part.results)],
    }
    yield ProbeFact(QUESTION, False, subject.uid, stack[-1] if stack else None, stack, data=data)


def _told_result(subject: Subject, path: tuple) -> TensorFact | None:
    """What the run noted of one leaf of the output."""
    value: Any = subject.told.get("result")
    for key in path:
        if isinstance(value, dict):
            value = value.get(str(key))
        elif isinstance(value, tuple) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value if isinstance(value, TensorFact) else None


def _readers(subject: Subject, path: tuple) -> list[tuple] | None:
    """The events that read one leaf of the output after the call; `None` where that is not known."""
    fact = _told_result(subject, path)
    if fact is None or not fact.uid:
        return None
    return [
        event
        for event in subject.run.recorder.raw
        if any(isinstance(part, TensorFact) and part.uid == fact.uid for part in _flat(event[2]))
    ]


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _used(subject: Subject, path: tuple) -> bool:
    """Whether the script reads this leaf at all: a recurrent net gives a final state that many never look at."""
    if len(path) == 0:
        return True
    readers = _readers(subject, path)
    return readers is None or bool(readers)


def _read_outside(
    subject: Subject, batching: Any, told: Any, sample: int, whole: Any, cut: Any, change: Change
) -> ProbeFact | None:
    """A last step that the script reads from the model's output by itself, `out[:, -1]`."""
    for path, output in whole.outputs.items():
        other = cut.outputs.get(path)
        axes = change.axes(output, other) if other is not None else ()
        if axes != (1,) and axes != (0,):
            continue
        for op, stack, args, *_ in _readers(subject, path) or ():
            index = args[1] if op == "getitem" and len(args) > 1 else None
            index = index if isinstance(index, tuple) else (index,)
            place = axes[0]
            full = all(
                getattr(part, "kind", "") == "slice" and part.value == (None, None, None) for part in index[:place]
            )
            if len(index) > place and full and index[place] == -1 and not isinstance(index[place], bool):
                left, right = output.select(place, -1), other.select(place, -1)
                sites = subject.run.sources.sites(stack)
                data = {
                    "length": len(change.kept),
                    "padded": told.longest,
                    "how": told.how,
                    "where": told.site,
                    "model": type(subject.module).__name__,
                    "token": False,
                    "op": "getitem",
                    "before": [(tuple(output.shape), axes)],
                    "after": [(tuple(left.shape), ())],
                    "modules": (),
                    **_numbers(left, right, change),
                }
                if difference(left, right, change)[0] > tolerance(left.dtype, float(left.abs().max())):
                    return ProbeFact(QUESTION, False, subject.uid, sites[-1] if sites else None, sites, data=data)
    return None


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
