"""The kinds of edit of what a model is given that rules name: rows and columns apart, samples for each rank. Plain
frozen data."""

from __future__ import annotations

from ..dataclass import dataclass
from .remedy import Remedy


@dataclass(frozen=True)
class ScaleByKnown(Remedy):
    """Statistics of all rows of a table, which are to be those of the rows that are trained on; with `own` those of
    rows apart, which are to be those of the table beside them."""

    own: bool = False


@dataclass(frozen=True)
class CutApart(Remedy):
    """What one name holds is read whole, or beyond where another part of it begins, beside that part: rows, columns
    where `columns`, one entry at an end where `entries`."""

    columns: bool = False
    entries: bool = False


@dataclass(frozen=True)
class TurnBoth(Remedy):
    """What is done to one part of a sample, by its place in what the data set gives, is to be done to another."""

    part: int
    beside: int


@dataclass(frozen=True)
class DivideSamples(Remedy):
    """A loader is to give each rank samples of its own."""


@dataclass(frozen=True)
class ForAnySample(Remedy):
    """The parameter `name` has a place for each sample on `axis`: it is to have one, for every sample."""

    name: str
    axis: int


@dataclass(frozen=True)
class OtherEnd(Remedy):
    """What the finding's line puts in order is to be in the opposite order."""
