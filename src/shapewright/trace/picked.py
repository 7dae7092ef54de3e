"""Rows that whole numbers or masks pick, or add up to samples."""

from __future__ import annotations

from ..dataclass import dataclass


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
