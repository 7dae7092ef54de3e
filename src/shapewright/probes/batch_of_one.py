"""Does a model answer one sample as it answers it in company, with the batch axis still there?

The question concerns a fault only where the run itself meets one sample: `data['met']` tells. Otherwise it is worth a
remark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..trace import ProbeFact
from .align import Change, differs
from .asking import Budget
from .parts import leaves
from .replay import play
from .subject import Subject

QUESTION = "batch-of-one"
ORDER = 15


def ask(subject: Subject, budget: Budget) -> Iterator[ProbeFact]:
    """`data` has `batch`, `whole` and `alone` (shapes of the output in company and alone), `op`, `met` (whether the run
    had one sample)."""
    batching = subject.batching()
    if batching is None or batching.size < 3 or not batching.certain:
        yield ProbeFact(QUESTION, None, subject.uid, data={"why": "no batch axis is certain"})
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
            yield ProbeFact(QUESTION, False, subject.uid, data={"batch": batching.size, "op": "", "met": _met(subject)})
            return
    yield ProbeFact(QUESTION, True, subject.uid, data={"batch": batching.size})


def _lost(subject: Subject, pair: tuple, one: tuple, path: tuple, batch: int) -> ProbeFact:
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
    stack = subject.run.sources.sites(subject.capture.stack + (found.stack if found is not None else ()))
    data: dict[str, Any] = {
        "batch": batch,
        "whole": tuple(whole.outputs[path].shape),
        "alone": tuple(alone.outputs[path].shape),
        "op": found.op if found is not None else "",
        "model": type(subject.module).__name__,
        "met": _met(subject),
    }
    return ProbeFact(QUESTION, False, subject.uid, stack[-1] if stack else None, stack, data=data)


def _met(subject: Subject) -> bool:
    """Whether the run gave this model one sample where it gave it more at other times."""
    batching = subject.batching()
    path, axis = next(iter(batching.axes.items()))
    for capture, _ in subject.others:
        leaf = dict(leaves((capture.args, capture.kwargs))).get(path)
        if leaf is not None and getattr(leaf, "dim", lambda: 0)() > axis and leaf.shape[axis] == 1:
            return True
    return 1 in subject.run.loading.sizes and max(subject.run.loading.sizes) > 1
