"""Does the label of a row name a column of the row's own sample?

A contrastive loss computes a table of scores between rows and columns that a model made of the same samples, and labels
each row with a column. The loss is computed again from its tape with half of the samples replaced, once for each digit
of their numbers: a score that follows exactly one of the two halves each time was made of one sample alone, whose
number the digits tell. Where a row has such scores, but its label names one that was made of two samples, the label
belongs to another sample. It judges no table that has no score of one sample alone, and no label that is a constant
number of samples further on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import nn

from .. import ops
from ..run.record.tape import Closed, Entry, Leaf
from ..trace import Answer, Pairing, ProbeFact, TensorFact, Unasked
from .pairing import played
from .subject import Subject, handed

QUESTION = "partners"
ORDER = 16
LEAST, LARGEST = 4, 256
CELLS = 1 << 20
MOST = 0.9  # of the rows that have a score of one sample alone


def ask(subject: Subject) -> Iterator[ProbeFact[Answer]]:
    """One answer for each loss that begins with this model and labels the rows of a table of scores."""
    tape = subject.run.tape
    for closed in tape.closed if tape is not None else ():
        first = next((entry for entry in closed.entries if isinstance(entry.call, nn.Module)), None)
        if first is not None and first.call is subject.module:
            yield from _asked(subject, closed, first)


def _asked(subject: Subject, closed: Closed, first: Entry) -> Iterator[ProbeFact[Answer]]:
    labelled = [found for entry in closed.entries if (found := _labelled(closed, entry)) is not None]
    if not labelled:
        return
    samples = _samples(subject, [closed.leaves[slot] for slot in first.reads if slot in closed.leaves])
    if samples is None:
        yield ProbeFact(QUESTION, None, Unasked("no axis of samples is certain"), subject.uid)
        return
    uid, size = samples
    read = {slot for entry in closed.entries if isinstance(entry.call, nn.Module) for slot in entry.reads}
    given = {slot: closed.leaves[slot] for slot in read if slot in closed.leaves}
    places = {slot: place for slot, leaf in given.items() if (place := _place(subject, leaf, uid, size)) is not None}
    whole = played(closed, {})
    again = played(closed, {}, seed=1)
    halves = [
        [played(closed, _replaced(closed, places, size, digit, bit)) for bit in (0, 1)]
        for digit in range((size - 1).bit_length())
    ]
    for entry, scores, target in labelled:
        if not _alike(whole[scores], again[scores]).all():
            continue
        moved = [[~_alike(whole[scores], half[scores]) for half in pair] for pair in halves]
        found = _mislabelled(moved, closed.leaves[target].value, size)
        told = Pairing(size, True, float(whole[closed.loss]), subject.name, op=entry.op)
        if found is not None:
            yield subject.says(False, replace(told, kind="partner", cells=found), entry.stack, entry.event)


def _labelled(closed: Closed, entry: Entry) -> tuple[Entry, int, int] | None:
    """A loss of classes of a table of scores whose target is a class per row: the slots of both."""
    if not ops.is_a(entry.op, "classifies") or len(entry.reads) < 2:
        return None
    scores, target = entry.reads[:2]
    labels = closed.leaves[target].value if target in closed.leaves else None
    if labels is None or labels.dtype != torch.long or labels.dim() != 1 or not LEAST <= len(labels) <= CELLS:
        return None
    return entry, scores, target


def _samples(subject: Subject, leaves: list[Leaf]) -> tuple[int, int] | None:
    """The identity of the axis along which a model was given samples, and how many there are."""
    for leaf in leaves:
        factors = _factors(subject, leaf.fact) if leaf.value.dim() and not isinstance(leaf.value, nn.Parameter) else ()
        if factors and LEAST <= factors[-1][1] <= LARGEST:
            return factors[-1]
    return None


def _factors(subject: Subject, fact: TensorFact) -> tuple[tuple[int, int], ...]:
    """What the first axis of a tensor counts, outermost first: where batches of the same samples were joined, copies of
    these."""
    own = fact.axes[0].uids if fact.axes else ()
    raw = subject.run.recorder.raw
    if len(own) == 1 and 0 <= fact.producer < len(raw) and ops.is_a(raw[fact.producer][0], "concatenates"):
        parts = [part.axes[0].uids if part.axes else () for part in handed(raw[fact.producer])]
        if len(parts) > 1 and parts[0] and all(part == parts[0] for part in parts):
            copies = own[0][1] // max(parts[0][-1][1], 1)
            return ((own[0][0], copies), *parts[0]) if len(parts[0]) == 1 and copies == len(parts) else ()
    return own


def _place(subject: Subject, leaf: Leaf, uid: int, size: int) -> tuple[int, int] | None:
    """How many copies of the samples there are along the first axis of a leaf, and how many rows each has."""
    factors = _factors(subject, leaf.fact) if leaf.value.dim() and not isinstance(leaf.value, nn.Parameter) else ()
    at = next((at for at, one in enumerate(factors) if one == (uid, size)), None)
    if at is None:
        return None
    outer = inner = 1
    for _, n in factors[:at]:
        outer *= n
    for _, n in factors[at + 1 :]:
        inner *= n
    return (outer, inner) if outer * size * inner == leaf.value.shape[0] else None


def _replaced(
    closed: Closed, places: dict[int, tuple[int, int]], size: int, digit: int, bit: int
) -> dict[int, torch.Tensor]:
    """The inputs with other numbers for the samples of which a binary digit is `bit`."""
    chosen = (torch.arange(size) >> digit) % 2 == bit
    made = {}
    for slot, (outer, inner) in places.items():
        value = closed.leaves[slot].value
        rows = value.reshape(outer, size, inner, -1)
        if value.is_floating_point():
            noise = torch.randn(rows.shape, generator=torch.Generator().manual_seed(size)).to(rows.dtype)
            other = rows + noise * rows.std().clamp_min(1e-3)
        else:
            other = rows.flip(1)
        made[slot] = torch.where(chosen[None, :, None, None], other, rows).reshape(value.shape)
    return made


def _alike(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    return torch.isclose(one, other, rtol=2e-6, atol=2e-7, equal_nan=True)


def _mislabelled(
    moved: list[list[torch.Tensor]], labels: torch.Tensor, size: int
) -> tuple[int, int, int, int, int] | None:
    """A row whose label names a column of another sample, that column, a column of its own sample, how many rows have
    such a label and of how many; `None` where few have."""
    shape = moved[0][0].shape
    if len(shape) != 2 or shape[0] != len(labels) or shape[1] < LEAST or shape[0] * shape[1] > CELLS:
        return None
    own = torch.stack([low ^ high for low, high in moved]).all(0)
    number = sum(high.long() << digit for digit, (_, high) in enumerate(moved))
    wrong, offsets, first = 0, set[int](), None
    rows = [row for row in range(shape[0]) if bool(own[row].any()) and 0 <= int(labels[row]) < shape[1]]
    for row in rows:
        column = int(own[row].nonzero()[0])
        mine, label = int(number[row, column]), int(labels[row])
        mixed = ~own[row] & torch.stack([low[row] | high[row] for low, high in moved]).any(0)
        if own[row, label] or not mixed[label] or 2 * int(mixed.sum()) < shape[1]:
            continue
        partner = sum(
            (1 - (mine >> digit) % 2 if bool(low[row, label] & high[row, label]) else (mine >> digit) % 2) << digit
            for digit, (low, high) in enumerate(moved)
        )
        wrong += 1
        offsets.add((partner - mine) % size)
        first = first or (row, label, column)
    if first is None or wrong < max(LEAST, MOST * len(rows), shape[0] // 2) or len(offsets) < 2:
        return None
    return (*first, wrong, shape[0])
