"""Does a model with learned parameters take another number of samples than the one that it was trained on?

Where one sample less fails, and taking away one place of a parameter makes it work again, the parameter has an axis of
places in the batch. From then on the model is played with the first place in all places, so that the other probes can
ask their questions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
from torch import nn

from ..trace import Answer, ProbeFact, SizedByBatch, Unasked
from .parts import leaves
from .replay import play
from .subject import Subject

QUESTION = "sized-by-batch"
ORDER = 5
CANDIDATES = 8
TOGETHER = 3


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """`event` is the call that made the first such parameter."""
    batching = subject.batching()
    if batching is None or not batching.certain or batching.size < 3 or not _several(subject):
        yield ProbeFact(QUESTION, None, Unasked("no batch axis is certain"), subject.uid)
        return
    fewer = batching.cut(subject.inputs, list(range(batching.size - 1)))
    try:
        play(subject, fewer)
    except Exception:  # why it fails is the question
        found = _sized(subject, fewer, batching.size)
        if not found:
            raise
        first = subject.run.recorder.notes.get(found[0][1])
        producer = first.producer if first is not None else -1
        data = SizedByBatch(
            batching.size,
            subject.name,
            tuple(name for name, _, _ in found),
            tuple(tuple(p.shape) for _, p, _ in found),
        )
        yield subject.says(False, data, event=producer)
        return
    yield subject.says(True, SizedByBatch(batching.size))


def _several(subject: Subject) -> bool:
    """Whether the model was trained on more than one batch: a full batch may have parameters for each of its
    samples."""
    path = next(iter(subject.batching().axes))
    given = [
        dict(leaves((capture.args, capture.kwargs))).get(path) for capture, _ in subject.others if capture.training
    ]
    return any(not torch.equal(given[0], other) for other in given[1:] if other is not None and given[0] is not None)


def _sized(subject: Subject, fewer: tuple, size: int) -> list[tuple[str, nn.Parameter, int]]:
    """The fewest parameters that must count one place less for the model to take one sample less."""
    found = [
        (name, p, p.shape.index(size))
        for name, p in nn.Module.named_parameters(subject.module)
        if p.shape.count(size) == 1
    ][:CANDIDATES]
    for count in range(1, TOGETHER + 1):
        for chosen in itertools.combinations(found, count):
            subject.sized = tuple((p, axis) for _, p, axis in chosen)
            try:
                play(subject, fewer)
                return list(chosen)
            except Exception:  # not these
                subject.sized = ()
    return []
