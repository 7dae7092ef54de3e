"""Does a model's answer depend on the sample?

The call is played with the samples in reverse order: where the answers stay as they were, to the last bit, no sample
has a say in its own. It is asked again with numbers a thousand times smaller, so that a saturated activation is not
taken for it, and with other numbers in the parameters that are all zeros: those may only have learned nothing so far.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch import nn

from ..trace import Answer, ProbeFact, SampleReach, Unasked
from .parts import leaves, rebuilt
from .replay import Play, Played, play
from .subject import Batching, Subject

QUESTION = "sample-reach"
ORDER = 7
SMALLER = 1e-3


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """The site is the operator after which the samples no longer show."""
    batching = subject.batching()
    if batching is None or batching.size < 4 or not _varied(subject, batching):
        yield ProbeFact(QUESTION, None, Unasked("no batch axis is certain"), subject.uid)
        return
    whole = play(subject, subject.inputs)
    kept = [
        path for path, value in whole.outputs.items() if batching.size in value.shape[:2] and value.is_floating_point()
    ]
    if not kept or any(path not in kept for path in whole.outputs):
        yield ProbeFact(QUESTION, None, Unasked("no output keeps the batch axis"), subject.uid)
        return
    if not all(_ignored(subject, batching, inputs, kept) for inputs in (subject.inputs, _scaled(subject.inputs))):
        yield subject.says(True, SampleReach(batching.size))
        return
    subject.ignoring = True  # whatever is said of it
    with _awake(subject):
        if not _ignored(subject, batching, subject.inputs, kept):
            yield ProbeFact(QUESTION, None, Unasked("parameters that are all zeros hide the samples"), subject.uid)
            return
    whole, turned = (
        play(subject, subject.inputs, record=True),
        play(subject, _turned(batching, subject.inputs), record=True),
    )
    last = last_seen(whole, turned)
    if last is None and not any(True for child in subject.module.children() for _ in child.parameters()):
        why = "a model without layers that reads no sample: a constant to compare with"
        yield ProbeFact(QUESTION, None, Unasked(why), subject.uid)
        return
    data = SampleReach(
        batching.size,
        subject.name,
        tuple(whole.outputs[kept[0]].shape),
        batching.certain,
        last.op if last is not None else "",
    )
    yield subject.says(False, data, subject.capture.stack + (last.stack if last is not None else ()))


@contextlib.contextmanager
def _awake(subject: Subject) -> Iterator[None]:
    """Parameters that are all zeros hold other numbers while the body runs."""
    saved = [(p, p.data) for p in nn.Module.parameters(subject.module) if p.is_floating_point() and not bool(p.any())]
    generator = torch.Generator().manual_seed(0)
    try:
        for p, data in saved:
            p.data = torch.randn(data.shape, generator=generator).to(data)
        yield
    finally:
        for p, data in saved:
            p.data = data


def _turned(batching: Batching, inputs: tuple[tuple, dict]) -> tuple[tuple, dict]:
    return batching.cut(inputs, list(reversed(range(batching.size))))


def _scaled(inputs: tuple[tuple, dict]) -> tuple[tuple, dict]:
    return rebuilt(
        inputs,
        lambda path, leaf: leaf * SMALLER if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() else leaf,
    )


def _varied(subject: Subject, batching: Batching) -> bool:
    """Whether the samples differ, in each of the inputs that count them."""
    before, after = dict(leaves(subject.inputs)), dict(leaves(_turned(batching, subject.inputs)))
    pairs = [(before[path], after[path]) for path in batching.axes if isinstance(before[path], torch.Tensor)]
    return bool(pairs) and not any(torch.equal(left, right) for left, right in pairs)


def _ignored(subject: Subject, batching: Batching, inputs: tuple[tuple, dict], kept: list[tuple]) -> bool:
    """Whether the answers are finite and the same, whichever sample stands where."""
    left, right = play(subject, inputs).outputs, play(subject, _turned(batching, inputs)).outputs
    return all(
        path in right and bool(left[path].isfinite().all()) and torch.equal(left[path], right[path]) for path in kept
    )


def last_seen(whole: Play, turned: Play) -> Played | None:
    """The last operator that read numbers in which what was changed shows and gave numbers in which it does not."""
    for left, right in zip(reversed(whole.played), reversed(turned.played)):
        if (
            left.op == right.op
            and _equal(left.results, right.results)
            and any(
                not _equal(whole.played[i].results, turned.played[i].results)
                for i, _ in left.operands
                if i < len(turned.played)
            )
        ):
            return left
    return None


def _equal(left: list[torch.Tensor], right: list[torch.Tensor]) -> bool:
    return len(left) == len(right) and all(a.shape == b.shape and torch.equal(a, b) for a, b in zip(left, right))
