"""Things that were held out, one for each user or key, and looked for among what a model ranks first, though the model
was trained on them: tables of pairs, such as lists of tuples, that hold every key with its held-out thing.

What is held out is what the script looks for in lists of places after something has learned, by value: the table from
which each was taken for a number of the frame. It looks at no name and judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any

import numpy
import torch

from ...trace import Excluded, Withheld
from ..script.sources import UserSources
from .beside import own_frames
from .leading import LOWERED, scores_in

CALLS, LEARNED, FEWEST, LARGEST, FRAMES, SEEN = 12, 6, 8, 200_000, 6, 3
LEAST, HALF, MANY = 3, 0.5, 5000
Pairs = set[tuple[int, int]]


class Sought:
    """Told of what models learn from, and of what is looked for afterwards."""

    def __init__(self, sources: UserSources, learned: Callable[[], bool]) -> None:
        self.sources, self._learned = sources, learned
        self._given: list[Pairs] = []
        self._calls: dict[Any, int] = {}
        self._found: dict[Any, dict[int, tuple[str, Any, list[tuple[int, int]]]]] = {}  # by place and identity: what
        # gave that which was looked for
        self._tables: dict[int, tuple[str, Any]] = {}
        self._last: dict[Any, object] = {}
        self._masked: dict[Any, int] = {}  # how often what was looked for was left out of the scores

    def given(self, args: tuple[object, ...]) -> None:
        """A model that learns is called: with pairs, if its first two arguments are whole numbers."""
        if len(self._given) < LEARNED and len(args) > 1:
            columns = [column(one) for one in args[:2]]
            if None not in columns and len(columns[0]) == len(columns[1]) >= FEWEST:
                self._given.append(set(zip(*columns)))

    def looked(self, frame: FrameType, left: object, right: object) -> None:
        """The user asked whether one number is among several, or which of them it is."""
        wanted, several = (left, right) if _number(left) is not None else (right, left)
        target = _number(wanted)
        if target is None or not _listed(several) or not self._learned():
            return
        with torch._C.DisableTorchFunction(), torch.no_grad():  # on a simulated device no array is had otherwise
            self._looked(frame, target, several)

    def _looked(self, frame: FrameType, target: int, several: object) -> None:
        place = (frame.f_code, frame.f_lineno)
        self._calls[place] = calls = self._calls.get(place, 0) + 1
        if calls > CALLS:
            return
        frames = list(own_frames(self.sources, frame, FRAMES))
        if calls == 1:
            for name, value in _held(frames):
                self._tables.setdefault(id(value), (name, value))
        keys = {number for value in frame.f_locals.values() if (number := _number(value)) is not None}
        left_out = any(_lowered(one, target) for one in frame.f_locals.values())
        again = self._last.get(place)  # several are looked for in one ranking, as to see that none of them is there
        self._last[place] = several
        self._masked[place] = -CALLS if again is several else self._masked.get(place, 0) + left_out
        here = self._found.setdefault(place, {})
        for name, value in {id(value): (name, value) for name, value in _held(frames[:2])}.values():
            key = next((one for one in keys if _entry(value, one) == target), None)
            if key is not None:
                here.setdefault(id(value), (name, value, []))[2].append((key, target))

    def excluded(self) -> Iterator[Excluded]:
        """Where what is looked for had been left out each time."""
        for (code, line), count in self._masked.items():
            if count >= LEAST and count == min(CALLS, self._calls[code, line]):
                yield Excluded(self.sources.lines(code.co_filename, line, line), count)

    def found(self) -> Iterator[Withheld]:
        """Tables of pairs that were trained on and hold all that was held out."""
        always = [
            one
            for place, found in self._found.items()
            for one in found.values()
            if len(one[2]) == min(CALLS, self._calls[place])
        ]
        for name, value, pairs in always:
            held = _pairs_of(value)
            if len({thing for _, thing in pairs}) < SEEN or len(held) < FEWEST or not held.issuperset(pairs):
                continue
            for other, table in self._tables.values():
                rows = _rows(table)
                if len(rows) > len(held) and held <= rows and any(given <= rows for given in self._given):
                    yield Withheld(name, other, len(held), len(rows))
                    return


def _lowered(value: Any, place: int) -> bool:
    """Whether scores in one row have been lowered at a place, and most have not."""
    scores = scores_in(value)
    if scores is None or scores.ndim != 1 or not 0 <= place < scores.size:
        return False
    return bool(scores[place] <= LOWERED) and bool((scores > LOWERED).mean() > HALF)


def column(value: object) -> list[int] | None:
    """The numbers of a column of whole numbers; `None` of anything else."""
    whole = type(value) is torch.Tensor and value.dtype == torch.int64 and value.dim() == 1 and value.numel() < LARGEST
    return value.tolist() if whole and not value.is_meta else None


def _number(value: object) -> int | None:
    whole = isinstance(value, (int, numpy.integer)) and not isinstance(value, bool)
    return int(value) if whole else None


def _listed(value: object) -> bool:
    if type(value) in (list, tuple):
        return len(value) > 1 and _number(value[0]) is not None
    return type(value) is numpy.ndarray and value.ndim == 1 and value.dtype.kind in "iu" and len(value) > 1


def _held(frames: list[FrameType]) -> Iterator[tuple[str, Any]]:
    """Containers that frames hold, and those of the objects in them."""
    for frame in frames:
        for name, value in [*frame.f_locals.items()]:
            if type(value) in (dict, list, numpy.ndarray):
                yield name, value
            elif not isinstance(value, (torch.nn.Module, ModuleType, type)) and not name.startswith("__"):
                inner = getattr(value, "__dict__", None)
                for key, one in list(inner.items()) if type(inner) is dict else ():
                    if type(one) in (list, dict, numpy.ndarray):
                        yield f"{name}.{key}", one


def _entry(value: Any, key: int) -> int | None:
    """What a container of numbers holds for a key."""
    if type(value) is dict:
        return _number(value.get(key))
    if _of_pairs(value):
        return next((int(row[1]) for row in value if row[0] == key), None)
    if type(value) is numpy.ndarray and (value.ndim != 1 or value.dtype.kind not in "iu"):
        return None
    return _number(value[key]) if 0 <= key < len(value) else None


def _pairs_of(value: Any) -> Pairs:
    """Each key with its number."""
    if _of_pairs(value):
        return _rows(value)
    pairs = value.items() if type(value) is dict else enumerate(value)
    return {(key, int(one)) for key, one in pairs if type(key) is int and _number(one) is not None}


def _of_pairs(value: Any) -> bool:
    """Whether a table has one row of two whole numbers for each key."""
    if type(value) is numpy.ndarray:
        two = value.ndim == 2 and value.shape[1] == 2 and value.dtype.kind in "iu" and FEWEST <= len(value) <= MANY
    else:
        two = type(value) is list and FEWEST <= len(value) <= MANY and type(value[0]) in (tuple, list)
        two = two and all(len(row) == 2 for row in value)
    return two and len({int(row[0]) for row in value if _number(row[0]) is not None}) == len(value)


def _rows(value: Any) -> Pairs:
    """The first two numbers of each row."""
    if type(value) is numpy.ndarray:
        rows = value.ndim == 2 and value.shape[1] > 1 and value.dtype.kind in "iu" and value.size < LARGEST
        return set(zip(value[:, 0].tolist(), value[:, 1].tolist())) if rows else set()
    if type(value) is not list or not FEWEST <= len(value) < LARGEST:
        return set()
    pairs = [tuple(row[:2]) for row in value if type(row) in (tuple, list) and len(row) > 1]
    whole = len(pairs) == len(value) and all(_number(part) is not None for pair in pairs for part in pair)
    return {(int(one), int(other)) for one, other in pairs} if whole else set()
