"""Does a model answer one sample as it answers it in company, with the batch axis still there?

The question concerns a fault only where the run itself meets one sample: `met` tells. Otherwise it is worth a
remark.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..trace import Answer, BatchOfOne, ProbeFact, Unasked
from .align import Change, differs
from .parts import leaves
from .replay import play
from .subject import Subject

QUESTION = "batch-of-one"
ORDER = 15


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer about the whole model."""
    batching = subject.batching()
    if batching is None or batching.size < 3 or not batching.certain:
        yield ProbeFact(QUESTION, None, Unasked("no batch axis is certain"), subject.uid)
        return
    pair, one = batching.cut(subject.inputs, [0, 1]), batching.cut(subject.inputs, [0])
    whole, alone = play(subject, pair), play(subject, one)
    change = Change(2, (0,))
    for path, left in whole.outputs.items():
        right = alone.outputs.get(path)
        if right is None or 2 not in left.shape[:2]:
            continue
        if right.dim() < left.dim():
            yield _lost(subject, pair, one, path, batching.size)
            return
        if differs(left, right, change):
            yield subject.says(False, BatchOfOne(batching.size, met=_met(subject)))
            return
    yield subject.says(True, BatchOfOne(batching.size))


def _lost(subject: Subject, pair: tuple, one: tuple, path: tuple, batch: int) -> ProbeFact[Answer]:
    """The operator after which the lone sample has fewer axes."""
    whole, alone = play(subject, pair, record=True), play(subject, one, record=True)
    found = next(
        (
            a
            for a, b in zip(whole.played, alone.played)
            if a.op == b.op and any(x.dim() > y.dim() for x, y in zip(a.results, b.results))
        ),
        None,
    )
    data = BatchOfOne(
        batch,
        subject.name,
        found.op if found is not None else "",
        tuple(whole.outputs[path].shape),
        tuple(alone.outputs[path].shape),
        _met(subject),
    )
    return subject.says(False, data, subject.capture.stack + (found.stack if found is not None else ()))


def _met(subject: Subject) -> bool:
    """Whether the run gave this model one sample where it gave it more at other times."""
    batching = subject.batching()
    path, axis = next(iter(batching.axes.items()))
    for capture, _ in subject.others:
        leaf = dict(leaves((capture.args, capture.kwargs))).get(path)
        if leaf is not None and getattr(leaf, "dim", lambda: 0)() > axis and leaf.shape[axis] == 1:
            return True
    return 1 in subject.run.loading.sizes and max(subject.run.loading.sizes) > 1
