"""Rows that whole numbers or masks pick, or add up to samples, and what orders and pairs hold."""

from __future__ import annotations

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True, slots=True)
class Picked:
    """Event `event` picks from `rows` rows by `count` whole numbers of `values` kinds (0: not counted, where a table is
    looked up), from `least` to `greatest`."""

    event: int
    rows: int
    least: int
    greatest: int
    values: int
    count: int


@dataclass(frozen=True, slots=True)
class Summed:
    """Event `event` adds up `rows` rows that lie block by block, the `longest` of them so long, to `blocks` sums."""

    event: int
    rows: int
    blocks: int
    longest: int


@dataclass(frozen=True, slots=True)
class Lists:
    """Different lists of places, or masks, that pick from one table: the `events` at which each does, of how many
    `rows`, and how many of its rows each of the lists picks too (`shared`)."""

    events: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    shared: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LowestFirst:
    """Each time that `name` was bound at `site`, it held the places of the lowest of `scores`, the first `count` of
    which had been lowered to `value` or below, so that they would be left out."""

    site: Site
    name: str
    scores: str
    count: int
    value: float


@dataclass(frozen=True, slots=True)
class Withheld:
    """What `held` gives for each of `count` keys was looked for among what a model ranks, but the table `pairs` of
    `rows` pairs, from which the model learned, holds each of these keys with its own."""

    held: str
    pairs: str
    count: int
    rows: int


@dataclass(frozen=True, slots=True)
class Excluded:
    """At `site` the script looked for a place in a ranking, `count` times, each time one whose score had been lowered
    so that it is left out."""

    site: Site
    count: int
