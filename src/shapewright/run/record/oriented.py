"""Tells whether the rows of a batch are mirrored or turned in another way than what belongs to them: a picture that was
mirrored and its mask that was not, wherever that was done.

A picture is known by the row of the table that it was taken from; what a loss compares the outputs for it with, by the
row beside it. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site, Turned
from .readable import readable
from .tables import Keys, Table
from .turned import WIDTH, turned_apart

MEETINGS, ROWS, LARGEST = 12, 4, 100_000  # the numbers of a row


@dataclass
class Meeting:
    """The first rows of a batch, each with what tells it from others, and of what a loss compares its outputs with."""

    given: Keys
    pictures: torch.Tensor
    asked: Keys
    maps: torch.Tensor
    place: Site | None


class Oriented:
    """Fed with what models are given to learn from, and with the targets that meet what they answer."""

    def __init__(self) -> None:
        self.met: list[Meeting] = []
        self._given: list[tuple[Keys, torch.Tensor, Site | None]] = []

    def given(self, found: Iterable[tuple[Keys, torch.Tensor]], place: Callable[[], Site | None]) -> None:
        """A model is called to learn from these."""
        full = len(self.met) >= MEETINGS
        self._given = [] if full else [(keys, value, place()) for keys, value in found if _laid_out(value)]

    def asked(self, keys: Keys, target: torch.Tensor) -> None:
        """A loss compares outputs with a target."""
        for own, value, place in self._given if _laid_out(target) and target.dim() > 2 else ():
            if len(own) == len(keys) and value.shape[-2:] == target.shape[-2:] and len(self.met) < MEETINGS:
                rows = (value[:ROWS].detach().clone(), target[:ROWS].detach().clone())
                self.met.append(Meeting(own[:ROWS], rows[0], keys[:ROWS], rows[1], place))

    def found(self, tables: list[Table]) -> Iterator[Turned]:
        """The first two tables whose rows met so."""
        for one in self.met:
            for samples in tables:
                for targets in tables:
                    if samples is targets or len(samples.keys) != len(targets.keys):
                        continue
                    if any(_apart(one, at, samples, targets) for at in range(len(one.given))) and one.place is not None:
                        yield Turned("batch", samples.name, one.place, 0, 0, targets.name)
                        return


def _laid_out(value: torch.Tensor) -> bool:
    """Whether a batch may hold pictures or maps."""
    few = value.dim() in (3, 4) and min(value.shape[-2:]) >= WIDTH and value[0].numel() <= LARGEST
    return few and readable(value, value.numel())


def _apart(met: Meeting, at: int, samples: Table, targets: Table) -> bool:
    """Whether a row and what belongs to it were moved in different ways."""
    places = {table.places.get(keys[at]) for table, keys in ((samples, met.given), (targets, met.asked))}
    places.discard(None)
    if len(places) != 1:
        return False
    (place,) = places
    picture, beside = _row(samples.live, place, met.pictures[at]), _row(targets.live, place, met.maps[at])
    if picture is None or beside is None:
        return False
    shown, other = (value[at].squeeze().double() for value in (met.pictures, met.maps))
    return turned_apart(picture, shown, beside, other)


def _row(live: Any, place: int | None, like: torch.Tensor) -> torch.Tensor | None:
    """A row of a table, its colors where a batch has them."""
    try:
        row = torch.as_tensor(live[place]).detach().squeeze().double()
    except (TypeError, ValueError, IndexError, KeyError, RuntimeError):  # a list of anything, which has changed since
        return None
    shape = like.squeeze().shape
    if row.shape != shape and row.dim() == 3 and row.movedim(-1, 0).shape == shape:
        row = row.movedim(-1, 0)
    return row if row.shape == shape else None
