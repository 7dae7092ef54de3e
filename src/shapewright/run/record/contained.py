"""Tells by the values that rows hold which rows of a larger table they were cut from.

A table of real numbers, most of which occur once, knows each by its place. Rows that were cut, indexed, flattened,
converted or put into another order since still hold its numbers, so two tensors that meet can be compared by the places
that their rows came from. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site
from .readable import readable

LARGEST = 200_000
LOOKED = 8
BASES, LISTS = 32, 24


@dataclass
class Base:
    """A table as it was when it was bound; `values` are its numbers in single precision."""

    name: str
    site: Site
    values: torch.Tensor

    def __post_init__(self) -> None:
        self._sorted: tuple[torch.Tensor, torch.Tensor, torch.Tensor] | None = None

    def rows(self, given: torch.Tensor) -> torch.Tensor | None:
        """`(row, axis)`: the places of some rows along the first axes of this table, as many as all the numbers of each
        row agree upon; `None` where any number is not here, or stands here twice."""
        if self._sorted is None:
            ordered, order = self.values.flatten().sort()
            twice = torch.zeros_like(ordered, dtype=torch.bool)
            same = ordered[1:] == ordered[:-1]
            twice[1:] |= same
            twice[:-1] |= same
            self._sorted = (ordered, order, twice)
        ordered, order, twice = self._sorted
        at = torch.searchsorted(ordered, given.contiguous()).clamp(max=len(ordered) - 1)
        if not bool(((ordered[at] == given) & ~twice[at]).all()):
            return None
        places = torch.stack(torch.unravel_index(order[at], self.values.shape), dim=-1)
        agreed = (places == places[:, :1]).all(dim=1).all(dim=0)
        count = int(agreed.long().cumprod(0).sum())
        return places[:, 0, :count] if count else None


class Contained:
    """Fed with what variables are bound to, and with pairs that meet."""

    def __init__(self) -> None:
        self.bases: list[Base] = []
        self.lists: list[tuple[str, Site, list]] = []

    def bound(self, name: str, site: Site, value: object, held: torch.Tensor | None) -> None:
        """A variable was bound for the first time at its place; `held` are its numbers."""
        if type(value) is list and len(self.lists) < LISTS:
            self.lists.append((name, site, value))
        if held is not None and held.dim() > 1 and len(self.bases) < BASES:
            self.bases.append(Base(name, site, held))

    def gathered(self) -> None:
        """Lists that have been filled since they were bound become tables."""
        for name, site, entries in self.lists:
            parts = [numbers(part) for part in entries] if 1 < len(entries) <= 4096 else []
            if parts and all(part is not None and part.shape == parts[0].shape for part in parts):
                self.bases.append(Base(name, site, torch.stack([part for part in parts if part is not None])))
        self.lists.clear()

    def compared(self, given: torch.Tensor, asked: torch.Tensor) -> Iterator[tuple[Base, Base, bool]]:
        """`(base of the samples, base of the targets, whether each row meets its own)` where that can be told."""
        left = [(base, places) for base in self.bases if (places := base.rows(given)) is not None]
        right = [(base, places) for base in self.bases if (places := base.rows(asked)) is not None]
        for base, own in left:
            for other, partner in right:
                if base is other:
                    steps = (own[:, 0] - partner[:, 0]).unique()
                    if len(steps) == 1 or len(steps) > max(
                        2, len(given) // 4
                    ):  # a constant step is the next of a series
                        yield base, other, len(steps) == 1
                elif base.values.shape[:2] == other.values.shape[:2] and own.shape[1] > 1 and partner.shape[1] > 1:
                    count = base.values.shape[0] * base.values.shape[1]
                    turned = _turned(base, own) != _turned(other, partner)
                    if len(given) == count and None not in (_turned(base, own), _turned(other, partner)):
                        yield base, other, not turned


def _turned(base: Base, places: torch.Tensor) -> bool | None:
    """Whether rows run through the first two axes of a table the second first; `None`: neither way."""
    first, second = base.values.shape[:2]
    at = torch.arange(len(places))
    if first < 2 or second < 2:
        return None
    for turned, (slow, fast, count) in enumerate(((0, 1, second), (1, 0, first))):
        if bool((places[:, slow] == at // count).all()) and bool((places[:, fast] == at % count).all()):
            return bool(turned)
    return None


def numbers(value: Any) -> torch.Tensor | None:
    """A copy of a tensor or an array of real numbers in single precision; `None` of anything else."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        if type(value).__module__ == "numpy" and getattr(value, "ndim", 0):
            if value.dtype.kind != "f" or not 0 < value.size <= LARGEST:
                return None
            return torch.from_numpy(value.astype("float32"))
        if isinstance(value, torch.Tensor) and value.dtype.is_floating_point and not value.requires_grad:
            return value.detach().to(torch.float32, copy=True) if value.dim() and readable(value, LARGEST) else None
    return None


def sampled(value: torch.Tensor) -> torch.Tensor | None:
    """A few numbers of every row."""
    made = numbers(value)
    return None if made is None else columns_of(made)


def columns_of(table: torch.Tensor) -> torch.Tensor:
    """A few columns of a table."""
    rows = table.reshape(len(table), -1)
    return rows[:, torch.linspace(0, rows.shape[1] - 1, min(LOOKED, rows.shape[1])).long()]


def stirred(table: Any, base: Base) -> bool:
    """Whether the rows of a table stand in another order than in the one that they were cut from."""
    held = sampled(table)
    places = base.rows(held) if held is not None else None
    if places is None:
        return False
    order = places[:, 0] * base.values.shape[1] + places[:, 1] if places.shape[1] > 1 else places[:, 0]
    return bool((order[1:] < order[:-1]).any())
