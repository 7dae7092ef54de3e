"""Asks the user's data sets whether two parts of a sample come from two entries: the picture from one, and what belongs
to it from the one before.

A sample is read again with one entry exchanged of a list, an array or a tensor that has one for each sample. What the
sample's parts depend on tells which entry each was read from. Where nothing depends on the entry of its own place, but
on one beside it, and another part does on its own, the two no longer belong together. It judges nothing beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch

from ...trace import Mispaired, Site, TableFact
from .readable import readable
from .stepping import stepped
from .turned import reading

FEWEST, MOST, LARGEST, HELD = 6, 20_000, 1 << 22, 12
ASKED, BESIDE = (2, 4), (-1, 1)  # samples, and entries beside their own
Parts = list[torch.Tensor]


def neighbor(dataset: Any, display: Callable[[str], str]) -> Mispaired | None:
    """The first part of the samples that is read from the entry beside its own."""
    count = len(dataset)
    held = [(name, value) for name, value in vars(dataset).items() if _entries(value, count)][:HELD]
    if not FEWEST <= count <= MOST or not held or not _steady(dataset):
        return None
    found = [set(_read_from(dataset, held, index)) for index in ASKED]
    told = found[0] & found[1]
    own = sorted({(name, part) for name, part, away in told if not away})
    for name, part, away in sorted(told, key=str):
        alone = away and not any(other == name and not apart and at == part for other, at, apart in told)
        unread = all(other != name or at != part for other, at in own)
        first = next(((other, at) for other, at in own if at != part), None)
        if not alone or not unread or first is None:
            continue
        if any(other == name for other, _ in own) and _alike(dataset, part, first[1]):
            continue  # frames of a film, steps of a series, sentences of a text: the next one is what belongs to it
        line = _parting(dataset, dict(held)[name], ASKED[0] + away)
        site = Site(display(_code(dataset).co_filename), line, 1, line, 1)
        samples, targets = (TableFact(one, site, count) for one in (first[0], name))
        return Mispaired(samples, targets, None, targets, away, 0, neighbor=True)
    return None


def _code(dataset: Any) -> Any:
    return type(dataset).__getitem__.__code__


def _entries(value: Any, count: int) -> bool:
    """Whether something holds one entry for each sample, and may be written to."""
    if type(value) is list:
        return len(value) == count
    if isinstance(value, torch.Tensor):
        return value.dim() > 0 and len(value) == count and not value.requires_grad and readable(value, LARGEST)
    array = type(value).__module__ == "numpy" and getattr(value, "ndim", 0) and value.dtype.kind in "fiub"
    return bool(array) and len(value) == count and value.flags.writeable and value.size <= LARGEST


def _steady(dataset: Any) -> bool:
    """Whether a sample is the same when it is read again from one seed."""
    return _same(reading(dataset, ASKED[0], 0), reading(dataset, ASKED[0], 0))


def _same(one: Parts, other: Parts) -> bool:
    return len(one) == len(other) and all(a.shape == b.shape and torch.equal(a, b) for a, b in zip(one, other))


def _read_from(dataset: Any, held: list[tuple[str, Any]], index: int) -> Iterator[tuple[str, int, int]]:
    """`(attribute, part, entries away)` of what each part of a sample depends on."""
    whole = reading(dataset, index, 0)
    for name, value in held:
        for away in (0, *BESIDE):
            for part in _moved(dataset, value, index, index + away, whole):
                yield name, part, away


def _moved(dataset: Any, value: Any, index: int, place: int, whole: Parts) -> Iterator[int]:
    """The parts of a sample that change with one entry."""
    for other in (place + 3, len(value) - 1, 0):
        if other in (index, place, index - 1, index + 1):
            continue
        with _exchanged(value, place, other):
            made = reading(dataset, index, 0)
        changed = [
            at for at, (one, two) in enumerate(zip(whole, made)) if one.shape != two.shape or not torch.equal(one, two)
        ]
        if changed:
            yield from changed
            return


class _exchanged:
    """While the body runs, an entry is another one."""

    def __init__(self, value: Any, place: int, other: int) -> None:
        self.value, self.place, self.other = value, place, other

    def __enter__(self) -> None:
        kept = self.value[self.place]
        self.kept = kept.clone() if isinstance(kept, torch.Tensor) else kept.copy() if hasattr(kept, "dtype") else kept
        self.value[self.place] = self.value[self.other]

    def __exit__(self, *error: object) -> None:
        self.value[self.place] = self.kept


def _alike(dataset: Any, part: int, other: int) -> bool:
    """Whether two parts of a sample are of one kind, as a frame and the next."""
    read = reading(dataset, ASKED[0], 0)
    return read[part].dim() == read[other].dim()


def _parting(dataset: Any, value: Any, place: int) -> int:
    """The line after which the variables differ, if an entry does."""
    code, seen = _code(dataset), list[list[tuple[int, tuple]]]()

    def look(frame: FrameType, event: str) -> None:
        if frame.f_code is code:
            seen[-1].append((frame.f_lineno, tuple(sorted(map(str, frame.f_locals.values())))))

    for other in (place, len(value) - 1 if place + 3 >= len(value) else place + 3):
        seen.append([])
        with _exchanged(value, place, other), stepped(code, look):
            reading(dataset, ASKED[0], 0)
    line = code.co_firstlineno
    for (at, one), (_, two) in zip(*seen):
        if one != two:
            return line
        line = at
    return line
