"""Tells whether the rows of a batch are mirrored or turned in another way than what belongs to them: a picture that was
mirrored and its mask that was not, wherever that was done.

A picture is known by the row of the table that it was taken from; what a loss compares the outputs for it with, by the
row beside it. Where the tables themselves were made so, the pictures tell: some show what lies in their maps, the
others what lies in the mirror images of theirs; or all show what lies in their grids of cells with rows and columns
exchanged. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site, Turned
from .readable import readable
from .tables import Keys, Table
from .turned import FEW, WIDTH, turned_apart

MEETINGS, ROWS, LARGEST = 12, 4, 100_000  # the numbers of a row
ASKED, TELLING, LEAST, SHARE = 64, 0.5, 16, 0.2  # pictures, of which so many tell, and the share on either side
APART = 0.3  # how much less a picture has in common with its map the other way round
GRID, SHARED, MOST = (
    4,
    0.3,
    0.85,
)  # cells along a grid; what pictures have in common with one, and how many more with it


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
        self.votes: dict[int, list[int]] = {-1: [0, 0], -2: [0, 0]}
        """By axis: how many pictures show what their maps do, and what the mirror images of these do."""
        self.cells: list[tuple[float, float, int]] = []
        """What pictures have in common with their grids of cells, and with these transposed, and the cells of a row."""
        self._compared, self._at = 0, None
        self._given: list[tuple[Keys, torch.Tensor, Site | None]] = []

    @property
    def waits(self) -> bool:
        """Whether a target may still meet what a model was given."""
        return bool(self._given)

    def given(self, found: Iterable[tuple[Keys, torch.Tensor]], place: Callable[[], Site | None]) -> None:
        """A model is called to learn from these."""
        full = len(self.met) >= MEETINGS or (self._compared >= ASKED and len(self.cells) >= ASKED)
        self._given = [] if full else [(keys, value, place()) for keys, value in found if _laid_out(value)]

    def asked(self, keys: Keys, target: torch.Tensor) -> None:
        """A loss compares outputs with a target."""
        for own, value, place in self._given if _laid_out(target) and target.dim() > 2 else ():
            if self._compared < ASKED and len(value) == len(target) and value.shape[-2:] == target.shape[-2:]:
                self._at = self._at or place
                self._vote(value, target)
            elif len(self.cells) < ASKED and len(value) == len(target) and _gridded(value, target):
                self._at = self._at or place
                self.cells += list(_in_cells(value, target))
            if len(own) == len(keys) and value.shape[-2:] == target.shape[-2:] and len(self.met) < MEETINGS:
                rows = (value[:ROWS].detach().clone(), target[:ROWS].detach().clone())
                self.met.append(Meeting(own[:ROWS], rows[0], keys[:ROWS], rows[1], place))

    def _vote(self, pictures: torch.Tensor, maps: torch.Tensor) -> None:
        for picture, beside in zip(pictures[: ASKED - self._compared], maps):
            self._compared += 1
            shown, own = (part.detach().double().reshape(-1, *part.shape[-2:]) for part in (picture, beside))
            if len(own) != 1 or len(own.unique()) > FEW:
                continue  # many values may be another view of the picture, mirrored for itself
            near = _common(shown, own)
            for axis, votes in self.votes.items():
                far = _common(shown, own.flip(axis))
                if max(near, far) >= TELLING and abs(near - far) >= APART:
                    votes[far > near] += 1

    def apart(self) -> Iterator[Turned]:
        """Pictures some of which show their maps and some the mirror images of theirs."""
        for mirrored, telling in ((votes[1], sum(votes)) for votes in self.votes.values()):
            if telling >= LEAST and SHARE <= mirrored / telling <= 1 - SHARE and self._at is not None:
                yield Turned("shown", "", self._at, mirrored, telling)
                return
        if len(self.cells) >= LEAST and self._at is not None:
            own, other = (sum(one[at] for one in self.cells) / len(self.cells) for at in (0, 1))
            transposed = sum(one[1] > one[0] for one in self.cells)
            if other >= SHARED and other - own >= APART and transposed >= MOST * len(self.cells):
                yield Turned("grid", "", self._at, transposed, len(self.cells), str(self.cells[0][2]))

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


def _gridded(pictures: torch.Tensor, maps: torch.Tensor) -> bool:
    """Whether maps may hold one number for each cell of square pictures."""
    (height, width), (rows, columns) = pictures.shape[-2:], maps.shape[-2:]
    return height == width > rows == columns >= GRID and height % rows == 0 and pictures.dim() == 4


def _in_cells(pictures: torch.Tensor, maps: torch.Tensor) -> Iterator[tuple[float, float, int]]:
    """What each picture has in common with its grid, and with the grid transposed, where the two differ."""
    for picture, beside in zip(pictures.detach().float(), maps.detach()):
        size = beside.shape[-1]
        marked = (beside.reshape(-1, size, size) != 0).any(0)
        if bool((marked == marked.T).all()):
            continue
        off = (picture - picture.flatten(1).median(1).values[:, None, None]).abs().mean(0)
        filled = torch.nn.functional.adaptive_avg_pool2d(off[None], size).double()
        yield *(_common(filled, one[None].double()) for one in (marked, marked.T)), size


def _common(shown: torch.Tensor, own: torch.Tensor) -> float:
    """The largest correlation of the colors of a picture (C, H, W) with a map (1, H, W)."""
    rows = torch.cat([shown, own]).flatten(1)
    rows = rows - rows.mean(1, keepdim=True)
    sizes = rows.norm(dim=1)
    if float(sizes[-1]) < 1e-9:
        return 0.0
    return float(((rows[:-1] @ rows[-1]).abs() / (sizes[:-1] * sizes[-1]).clamp(min=1e-9)).max())


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
