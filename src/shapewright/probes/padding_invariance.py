"""Does a padded sequence get the same answer without its padding?

The shortest sample of a padded batch is played twice: as it stands, and cut to its own length. Where the outputs
differ, the walk back names the operator that let the padding in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..trace import Answer, PaddingInvariance, ProbeFact, TensorFact, Unasked
from .align import Change, difference, tolerance
from .blame import culprit, operands
from .padded import padding
from .replay import apart, play
from .subject import Subject

QUESTION = "padding-invariance"
ORDER = 20


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """The site is the operator that let the padding in."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield ProbeFact(QUESTION, None, Unasked("no padding is certain"), subject.uid)
        return
    sample = min(range(len(told.lengths)), key=lambda i: told.lengths[i])
    length = told.lengths[sample]
    change = Change(told.longest, tuple(range(length)))
    long, short = (
        told.cut(subject.inputs, batching, sample, told.longest),
        told.cut(subject.inputs, batching, sample, length),
    )
    whole = play(subject, long)
    cut = play(subject, short)
    paths = [
        path for path in whole.outputs if path in cut.outputs and whole.outputs[path].dim() == cut.outputs[path].dim()
    ]
    told_of = [
        path for path in paths if whole.outputs[path].dim() >= 1
    ]  # one number beside answers is a side loss (a router's balance), not an answer
    differing = [path for path in told_of or paths if apart(whole, cut, path, change) and _used(subject, path)]
    if not differing:
        outside = _read_outside(subject, batching, told, sample, whole, cut, change)
        if outside is not None:
            yield outside
            return
        yield subject.says(True, PaddingInvariance(length, told.longest, told.how))
        return
    path = next((p for p in differing if not change.axes(whole.outputs[p], cut.outputs[p])), differing[0])
    if apart(whole, play(subject, long, seed=1), path):
        yield ProbeFact(QUESTION, None, Unasked("the model is random"), subject.uid)
        return
    left, right = whole.outputs[path], cut.outputs[path]
    data = PaddingInvariance(
        length,
        told.longest,
        told.how,
        told.site,
        subject.name,
        bool(change.axes(left, right)),
        **_numbers(left, right, change),
    )
    whole, cut = play(subject, long, record=True), play(subject, short, record=True)
    found = culprit(whole, cut, change, path)
    if found is None:
        yield subject.says(False, data)
        return
    full, part = found
    leaf = tuple(
        i
        for i, (a, b) in enumerate(zip(full.results, part.results))
        if a.dim() != b.dim() or difference(a, b, change)[0] > tolerance(a.dtype, float(a.abs().max()))
    )
    before, after = operands(whole, full, cut, part), zip(full.results, part.results)
    data = replace(
        data,
        op=full.op,
        modules=full.modules,
        leaf=leaf,
        before=tuple((tuple(a.shape), change.axes(a, b)) for a, b in before),
        after=tuple((tuple(a.shape), change.axes(a, b)) for a, b in after),
    )
    yield subject.says(False, data, subject.capture.stack + full.stack)


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
) -> ProbeFact[Answer] | None:
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
                if difference(left, right, change)[0] > tolerance(left.dtype, float(left.abs().max())):
                    data = PaddingInvariance(
                        len(change.kept),
                        told.longest,
                        told.how,
                        told.site,
                        subject.name,
                        op="getitem",
                        before=((tuple(output.shape), axes),),
                        after=((tuple(left.shape), ()),),
                        **_numbers(left, right, change),
                    )
                    return subject.says(False, data, stack)
    return None


def _numbers(left: Any, right: Any, change: Change) -> dict[str, float]:
    largest, scale, gap = difference(left, right, change)
    numbers: dict[str, float] = {"largest": largest, "scale": scale}
    if gap is not None and left.shape == right.shape and left.is_floating_point():
        at = int(gap.flatten().argmax())
        numbers |= {"together": float(left.flatten()[at]), "alone": float(right.flatten()[at])}
    return numbers
