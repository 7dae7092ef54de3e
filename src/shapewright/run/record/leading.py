"""Lists of places that begin with those of the lowest scores, among them scores that the script lowered to leave them
out: an order was taken from its low end.

A list of whole numbers, or a table with one such list a row, is held against the rows of scores that its frame holds
when it is bound. Scores that were lowered tell that higher ones are better. It looks at no name and judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy
import torch

from ...trace import LowestFirst
from ..script.sources import UserSources
from .readable import readable

CALLS, LEAST, LONGEST, SCORES, HELD = 8, 2, 1000, 200_000, 80
FEW, LISTED = 8, 100_000  # of the rows of a table of lists; its places
LOWERED = -1e4  # no logarithm of a chance, and no score that a model gives
SURE = 3  # places in order beyond those of lowered scores
UNSURE = ("", 0, 0.0)
KINDS = (list, tuple, numpy.ndarray, torch.Tensor)  # of which lists of places are


class Leading:
    """Told of bindings once something has learned."""

    def __init__(self, sources: UserSources, learned: Callable[[], bool]) -> None:
        self.sources, self._learned = sources, learned
        self._told: dict[tuple[str, int, str], list[tuple[str, int, float] | None]] = {}

    def bound(self, frame: FrameType, line: int, name: str, value: object) -> None:
        """A variable was bound."""
        if type(value) not in KINDS or not self._learned():
            return
        place = (frame.f_code.co_filename, line, name)
        if len(self._told.get(place, ())) >= CALLS:
            return
        with torch._C.DisableTorchFunction(), torch.no_grad():  # on a simulated device no array is had otherwise
            table = _table(value)
            places = _places(value) if table is None else None
            told = UNSURE if places is None else _lowest(frame, places)
            told = told if table is None else _lowest_of_each(frame, table)
            if told != UNSURE:
                self._told.setdefault(place, []).append(told)

    def found(self) -> Iterator[LowestFirst]:
        """Every place at which such a list was bound each time."""
        for (file, line, name), told in self._told.items():
            first = told[0]
            if first is not None and None not in told:
                yield LowestFirst(self.sources.lines(file, line, line), name, *first)


def _places(value: Any) -> numpy.ndarray | None:
    """The places that a list, an array or a tensor holds, each once."""
    kind = type(value)
    if not LEAST <= _length(value) <= LONGEST:
        return None
    if kind in (list, tuple):
        whole = all(type(one) is int for one in value) and max(value) < SCORES
        held = numpy.array(value) if whole and min(value) >= 0 else None
    elif kind is torch.Tensor:
        held = value.numpy() if value.dtype == torch.int64 and readable(value, LONGEST) else None
    else:
        held = value
    if held is None or held.ndim != 1 or held.dtype.kind not in "iu" or held.min() < 0:
        return None
    return held if len(numpy.unique(held)) == len(held) else None


def _table(value: Any) -> numpy.ndarray | None:
    """One list of places a row."""
    if type(value) is torch.Tensor and value.dtype == torch.int64 and readable(value, LISTED):
        value = value.numpy()
    whole = type(value) is numpy.ndarray and value.ndim == 2 and value.dtype.kind in "iu" and value.size <= LISTED
    return value if whole and len(value) >= LEAST <= value.shape[1] <= LONGEST and value.min() >= 0 else None


def _lowest_of_each(frame: FrameType, table: numpy.ndarray) -> tuple[str, int, float] | None:
    """The same as `_lowest` of a table whose row i lists places of row i of some scores: that of a row, where the
    first ones all begin so; a row of which nothing was lowered tells nothing."""
    for name, value in [*frame.f_locals.items()][-HELD:]:
        scores = scores_in(value)
        if scores is None or scores.ndim != 2 or len(scores) != len(table) or table.max() >= scores.shape[1]:
            continue
        told = [
            _lowest_in(name, row, places) if len(numpy.unique(places)) == len(places) else None
            for row, places in zip(scores[:FEW], table[:FEW])
            if (row <= LOWERED).any()
        ]
        if any(one is not None for one in told):
            sure = [one for one in told if one != UNSURE]
            return None if None in told else sure[0] if len(sure) > len(told) // 2 else UNSURE
    return UNSURE


def _length(value: Any) -> int:
    return len(value) if getattr(value, "ndim", 1) == 1 else 0


def _lowest(frame: FrameType, places: numpy.ndarray) -> tuple[str, int, float] | None:
    """The name of the scores of which a list holds the lowest, how many of these were lowered, and to what; `UNSURE`
    where it may as well be those that were lowered."""
    held = [*frame.f_locals.items()][-HELD:]
    rows = [value for _, value in held if type(value) is int]
    for name, value in held:
        scores = scores_in(value)
        if scores is None:
            continue
        for row in [scores] if scores.ndim == 1 else [scores[at] for at in rows if 0 <= at < len(scores)]:
            told = _lowest_in(name, row, places)
            if told is not None:
                return told
    return None


def _lowest_in(name: str, row: numpy.ndarray, places: numpy.ndarray) -> tuple[str, int, float] | None:
    """How many of the first places are those of lowered scores of a row; `None` where they are not all so."""
    lowered = row <= LOWERED
    count, kept = int(lowered.sum()), int((~lowered).sum())
    if not count or kept < len(places) or places.max() >= len(row):
        return None
    first = min(count, len(places))
    if not lowered[places[:first]].all():
        return None
    return (name, first, float(row[places[0]])) if _in_order(row, places, first, count) else UNSURE


def _in_order(row: numpy.ndarray, places: numpy.ndarray, first: int, lowered: int) -> bool:
    """Whether places are the first of an order of a row that rises, not just those that were lowered."""
    rest = row[places[first:]]
    if len(rest) >= SURE:
        return numpy.array_equal(rest, numpy.sort(row)[first : len(places)])
    own = torch.from_numpy(row.copy())
    lists = (own.argsort(), own.topk(len(places), largest=False).indices)
    orders = (row.argsort(), row.argsort(kind="stable"), *(one.numpy() for one in lists))
    return first < lowered and any(numpy.array_equal(order[: len(places)], places) for order in orders)


def scores_in(value: Any) -> numpy.ndarray | None:
    """Real numbers, in one row or several."""
    if type(value) is torch.Tensor and value.is_floating_point() and not value.requires_grad:
        value = value.numpy() if readable(value, SCORES) else None
    real = type(value) is numpy.ndarray and value.dtype.kind == "f" and value.ndim in (1, 2)
    return value if real and value.size <= SCORES else None
