"""Does a padded sequence get the same answer without its padding?

The shortest sample of a padded batch is played twice: as it stands, and cut to its own length. A model that takes one
length alone is played with something else in the place of what it embeds the padding as. A model that is told lengths
may pad anew as far as the longest sample of its batch: the sample is played beside itself and beside the longest one.
Where the outputs differ, the walk back names the operator that let the padding in.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from ..trace import Answer, PaddingInvariance, ProbeFact, TensorFact, Unasked
from .align import Change, difference, tolerance
from .blame import counterparts, culprit, operands
from .padded import Padding, padding
from .parts import leaves
from .replay import Play, apart, play
from .subject import Batching, Subject

QUESTION = "padding-invariance"
ORDER = 20
COPIES = 7  # of one sample: a size that few other axes have


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """The site is the operator that let the padding in."""
    batching = subject.batching()
    told = padding(subject, batching) if batching is not None and batching.size >= 2 else None
    if told is None:
        yield ProbeFact(QUESTION, None, Unasked("no padding is certain"), subject.uid)
        return
    sample = min(range(len(told.lengths)), key=lambda i: told.lengths[i])
    last, length = max(range(len(told.lengths)), key=lambda i: told.lengths[i]), told.lengths[sample]
    change = Change(told.longest, tuple(range(length)))
    long, short = (
        told.cut(subject.inputs, batching, sample, told.longest),
        told.cut(subject.inputs, batching, sample, length),
    )
    whole, cut, filling = play(subject, long), _played(subject, short), contextlib.nullcontext
    if cut is None:
        filled = functools.partial(_embedded_otherwise, subject, long, length)
        change, short, filling = replace(change, filled=True), long, filled
        with filling() as changed:
            cut = play(subject, short)
        if not changed or _marks(subject, long, filling):
            yield ProbeFact(QUESTION, None, Unasked("the model takes one length alone"), subject.uid)
            return
    paths = [
        path for path in whole.outputs if path in cut.outputs and whole.outputs[path].dim() == cut.outputs[path].dim()
    ]
    told_of = [
        path for path in paths if whole.outputs[path].dim() >= 1
    ]  # one number beside answers is a side loss (a router's balance), not an answer
    differing = [path for path in told_of or paths if apart(whole, cut, path, change) and _used(subject, path)]
    if not differing and told.how == "lengths" and _beside_longest(subject, batching, told, sample, last):
        long, short = (batching.cut(subject.inputs, [sample] * (COPIES - 1) + [other]) for other in (last, sample))
        whole, cut, change = play(subject, long), play(subject, short), replace(change, copies=COPIES)
        differing = [path for path in paths if path in whole.outputs and apart(whole, cut, path, change)]
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
    whole = play(subject, long, record=True)
    with filling():
        cut = play(subject, short, record=True)
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


def _beside_longest(subject: Subject, batching: Batching, told: Padding, sample: int, last: int) -> bool:
    """Whether a sample gets the same output whatever the others of its length, as the longest one cut to it, hold: only
    their lengths may tell."""
    length = told.lengths[sample]
    shown: list[Play | None] = []
    told_in = [path for path, leaf in leaves(subject.inputs) if path in batching.axes and told.tells(leaf)]
    for other in (sample, last):
        pair = batching.cut(subject.inputs, [sample] * (COPIES - 1) + [other])
        inputs = told.shortened(pair, batching, length, told_in)
        shown.append(_played(subject, inputs))
    one, two = shown
    alike = Change(told.longest, tuple(range(length)), copies=COPIES)
    return one is not None and two is not None and not any(apart(one, two, path, alike) for path in one.outputs)


def _played(subject: Subject, inputs: tuple[tuple, dict]) -> Play | None:
    """One play; `None` where the model refuses sequences of this length."""
    try:
        return play(subject, inputs)
    except (RuntimeError, ValueError, IndexError, AssertionError):
        return None


@contextlib.contextmanager
def _embedded_otherwise(subject: Subject, inputs: tuple[tuple, dict], length: int) -> Iterator[list[nn.Module]]:
    """While the body runs, padding is embedded as something else: what lies beyond `length` of whole numbers that the
    model was given. Yields the embeddings that did."""
    tokens = [
        leaf
        for _, leaf in leaves(inputs)
        if isinstance(leaf, torch.Tensor) and leaf.dtype in (torch.int64, torch.int32)
    ]
    changed: list[nn.Module] = []

    def fill(module: nn.Module, args: tuple, output: torch.Tensor) -> None:
        with torch._C.DisableTorchFunction():
            read = args[0] if args else None
            if isinstance(read, torch.Tensor) and any(torch.equal(read, one) for one in tokens) and read.dim() == 2:
                output[:, length:] += torch.linspace(-1, 1, output.shape[-1], dtype=output.dtype)
                changed.append(module)

    parts = [part for part in subject.module.modules() if isinstance(part, nn.Embedding)]
    handles = [part.register_forward_hook(fill) for part in parts]
    try:
        yield changed
    finally:
        for handle in handles:
            handle.remove()


def _marks(subject: Subject, inputs: tuple[tuple, dict], filling: Callable[[], Any]) -> bool:
    """Whether the model tells padding by what it embeds it as: some comparison turns out otherwise."""
    whole = play(subject, inputs, record=True)
    with filling():
        other = play(subject, inputs, record=True)
    pairs = ((whole.played[a], other.played[b]) for a, b in counterparts(whole, other).items())
    results = ((one, two) for left, right in pairs for one, two in zip(left.results, right.results))
    return any(
        (one.dtype == torch.bool or not one.is_floating_point())
        and one.shape == two.shape
        and not torch.equal(one, two)
        for one, two in results
    )


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
