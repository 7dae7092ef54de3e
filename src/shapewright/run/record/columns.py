"""Tells whether the columns of a table of pairs were put into another order, each in its own: every user then meets
what another one chose.

A table of pairs has rows of whole numbers that come back (users, items, words), so no row can be known by one of its
numbers; the two columns are known by all of theirs. Models are given two columns of one length to learn from. Where
none of the pairs that they are given is one of the table, but all of them are pairs of its columns in another order,
the two were moved apart. It judges nothing.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Mispaired, Site, TableFact
from .readable import readable
from .withheld import column

TABLES, CALLS, FEWEST, MOST, WIDE = 24, 8, 16, 20_000, 4
LOOKED = 3  # calls at which tables are looked at again
KEPT, CHANCE = 0.5, 0.5  # the share of pairs that a batch, and a table, may have in common with those of another order
Numbers = tuple[int, ...]


@dataclass
class Held:
    """What a variable was bound to, and its columns as they were then, or as they have been `changed` in place."""

    name: str
    site: Site
    live: Any
    columns: tuple[Numbers, ...]
    changed: bool = False

    @functools.cached_property
    def ordered(self) -> tuple[Numbers, ...]:
        """The numbers of each column, ascending."""
        return tuple(tuple(sorted(own)) for own in self.columns)

    def fact(self, at: int) -> TableFact:
        name = f"{self.name}[:, {at}]" if len(self.columns) > 1 else self.name
        return TableFact(name, self.site, len(self.columns[0]), self.changed)


class Columns:
    """Fed with bindings and with what models are given to learn from."""

    def __init__(self) -> None:
        self.held: list[Held] = []
        self._places: set[tuple[str, int, str]] = set()
        self.pairs: list[tuple[list[int], list[int]]] = []

    def bound(self, place: tuple[str, int, str], site: Callable[[], Site], value: object) -> None:
        """A variable was bound at a place."""
        if len(self.held) < TABLES and place not in self._places and (columns := _columns(value)):
            self._places.add(place)
            self.held.append(Held(place[2], site(), value, columns))

    def given(self, args: tuple[object, ...]) -> None:
        """A model is called to learn from these."""
        if not self.held or len(self.pairs) >= CALLS or len(args) < 2:
            return
        one, other = column(args[0]), column(args[1])
        if one is None or other is None or len(one) != len(other) or len(one) < FEWEST // 2:
            return
        self.pairs.append((one, other))
        for table in [table for table in self.held if not table.changed] if len(self.pairs) <= LOOKED else ():
            now = _columns(table.live)
            if now and now != table.columns and all(one.columns != now for one in self.held):
                self.held.append(Held(table.name, table.site, table.live, now, True))

    def found(self) -> tuple[Mispaired, ...]:
        """The first table whose columns met in two orders."""
        batches = [[*zip(*pair)] for pair in self.pairs]
        for table in self.held if batches else ():
            if len(table.columns) < 2:
                continue
            one, other = table.columns[:2]
            own = set(zip(one, other))
            if all(_numbered(side) for side in (one, other)) or any(_share(batch, own) > KEPT for batch in batches):
                continue
            for (first, a), (second, b) in self._moved(table):
                met = [*zip(first.columns[a], second.columns[b])]
                if _share(met, own) <= CHANCE and any(set(batch) <= set(met) for batch in batches):
                    moved = [
                        None if held.columns[at] == side else held.fact(at)
                        for held, at, side in ((first, a, one), (second, b, other))
                    ]
                    same = sum(pair in own for pair in met)
                    return (Mispaired(table.fact(0), table.fact(1), *moved, len(met), same, columns=True),)
        return ()

    def _moved(self, table: Held) -> Iterator[tuple[tuple[Held, int], tuple[Held, int]]]:
        """Columns, of one table or of two, that hold the numbers of the first two of a table in other orders."""
        long = [held for held in self.held if len(held.columns[0]) == len(table.columns[0])]
        sides = [
            [(held, at) for held in long for at, own in enumerate(held.ordered) if own == whole]
            for whole in table.ordered[:2]
        ]
        yield from itertools.product(*sides)


def _share(pairs: list[tuple[int, int]], of: set[tuple[int, int]]) -> float:
    return sum(pair in of for pair in pairs) / len(pairs)


def _numbered(side: Numbers) -> bool:
    """Whether a column is the places of a table: then any other column is paired with it."""
    return sorted(side) == [*range(len(side))]


def _columns(value: Any) -> tuple[Numbers, ...]:
    """The columns of a table of whole numbers; none of anything else."""
    if type(value).__module__ == "numpy" and getattr(getattr(value, "dtype", None), "kind", "") in "iu":
        table = value
    elif isinstance(value, torch.Tensor) and value.dtype in (torch.int64, torch.int32) and readable(value, MOST * WIDE):
        table = value.detach()
    else:
        return ()
    if not 1 <= table.ndim <= 2 or not FEWEST <= len(table) <= MOST or (table.ndim == 2 and table.shape[1] > WIDE):
        return ()
    rows = table.reshape(len(table), -1)
    return tuple(tuple(rows[:, at].tolist()) for at in range(rows.shape[1]))
