"""Counts the samples that two data sets share: by their places, where both are picked from one, else by what reading
them gives. It judges nothing."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from .contained import numbers
from .nested import DEEPEST
from .readable import readable
from .seeds import seed_all
from .windows import between

ASKED, MOST, LARGEST, READ = 64, 4096, 100_000, 2_000_000
LEAST, SHARE, UNIQUE, WHOLE = 3, 0.05, 0.9, 0.6


def overlap(part: Any, whole: Any) -> tuple[int, int]:
    """`(shared, asked)` of the samples of `part` that `whole` has too; `(0, 0)` where that is little, or looks as if it
    were meant so: the first samples or most of one and the same data set, or of the same tensors."""
    (base, places), (other, others) = _picked(part), _picked(whole)
    if base is other:
        known = set(others)
        shared, asked = sum(place in known for place in places), len(places)
        meant = shared == asked and (asked > WHOLE * len(others) or places == others[:asked])
        return (0, 0) if meant or shared < max(LEAST, SHARE * asked) else (shared, asked)
    asked = len(part)
    wanted = _marks(part, sorted({round(at) for at in torch.linspace(0, asked - 1, min(asked, ASKED)).tolist()}))
    marks = _marks(whole, range(min(len(whole), MOST))) if len(wanted) >= LEAST else []
    if not marks or len(set(marks)) < UNIQUE * len(marks) or len(set(wanted)) < UNIQUE * len(wanted):
        return 0, 0
    held = set(marks)
    shared = sum(mark in held for mark in wanted)
    if type(base) is torch.utils.data.TensorDataset and shared == len(wanted):
        first = max(marks.index(mark) for mark in wanted) < asked
        if first or asked > WHOLE * len(marks):
            return 0, 0
    chance = 1 - len(held) / len(marks)  # samples that happen to be equal
    return (shared, len(wanted)) if shared >= max(LEAST, (SHARE + 3 * chance) * len(wanted)) else (0, 0)


def windows(part: Any, whole: Any) -> tuple[int, int]:
    """`(count, asked)` of the samples of `part` that are windows between those of `whole`, where both are picked from
    one data set; the samples picked next to each are read."""
    (base, places), (other, others) = _picked(part), _picked(whole)
    if base is not other or not others or type(base) is torch.utils.data.TensorDataset or set(places) & set(others):
        return 0, 0
    asked, known = places[:: -(-len(places) // ASKED)], sorted(others)
    near = {at for place in asked for at in _beside(known, place)}
    if sum(1 for place in asked if len(_beside(known, place)) == 2) < LEAST:
        return 0, 0
    rows, held = (_values(base, some) for some in (asked, sorted(near)))
    count = between(rows, held) if rows is not None and held is not None else 0
    return (count, len(asked)) if count else (0, 0)


def _beside(known: list[int], place: int) -> list[int]:
    """Of some places in order the last one before a place and the first one after it."""
    at = bisect.bisect(known, place)
    return known[max(0, at - 1) : at] + known[at : at + 1]


def _values(dataset: Any, places: list[int]) -> torch.Tensor | None:
    """The first tensors of some samples, of at most two axes; `None` where they are none, or not all alike."""
    found: list[torch.Tensor] = []
    for place in places:
        sample = dataset[place]
        held = sample.values() if isinstance(sample, dict) else sample if isinstance(sample, (tuple, list)) else ()
        part = next((made for one in held if (made := numbers(one)) is not None), None)
        if part is None or part.dim() > 2 or (found and part.shape != found[0].shape):
            return None
        found.append(part)
    return torch.stack(found) if found else None


def _picked(dataset: Any) -> tuple[Any, list[int]]:
    """The data set that samples are picked from, and their places there."""
    places = None
    while isinstance(dataset, torch.utils.data.Subset):
        own = [int(place) for place in dataset.indices]
        places = own if places is None else [own[place] for place in places]
        dataset = dataset.dataset
    return dataset, list(range(len(dataset))) if places is None else places


def _marks(dataset: Any, places: Any) -> list[tuple]:
    """What tells samples from each other by their first tensor; nothing where two readings of one differ."""
    seed_all(0)
    if _mark(dataset[0]) != _mark(dataset[0]):
        return []
    found, read = [], 0
    for place in places:
        mark = _mark(dataset[place])
        if not mark or read > READ:
            break
        read += mark[0]
        found.append(mark)
    return found


def _mark(sample: Any) -> tuple:
    with torch._C.DisableTorchFunction(), torch.no_grad():
        part = next(_parts(sample), None)
        if part is None or part.is_complex():
            return ()
        numbers = part.double().flatten()
        weights = torch.arange(1, len(numbers) + 1, dtype=torch.float64).sin()
        return (len(numbers), float(numbers.sum()), float((numbers * weights).sum()))


def _parts(value: Any, deep: int = 0) -> Iterator[torch.Tensor]:
    """The tensors, arrays and lists of several numbers in a sample, and its texts; tensors first."""
    if isinstance(value, torch.Tensor):
        if value.numel() > 1 and readable(value, LARGEST):
            yield value
    elif type(value).__module__ == "numpy":
        if getattr(value, "ndim", 0) and value.size > 1 and value.dtype.kind in "biuf":
            yield torch.from_numpy(value.copy())
    elif isinstance(value, (str, list, tuple)) and len(value) > 1 and _plain(value):
        whole = torch.tensor([*"\n".join(value).encode()]) if isinstance(value[0], str) else torch.tensor(value)
        if whole.numel() > 1:
            yield whole
    elif deep < DEEPEST and isinstance(value, (Mapping, list, tuple)):
        parts = list(value.values()) if isinstance(value, Mapping) else value
        for part in sorted(parts, key=lambda one: not isinstance(one, torch.Tensor)):
            yield from _parts(part, deep + 1)


def _plain(value: Any) -> bool:
    """Whether a sequence holds nothing but letters or words, or nothing but numbers."""
    words = isinstance(value, str) or (isinstance(value, list) and all(isinstance(part, str) for part in value))
    return words or all(isinstance(part, (int, float)) for part in value)
