"""Tells whether the columns of a table of pairs were put into another order, each in its own: every user then meets
what another one chose.

A table of pairs has rows of whole numbers that come back (users, items, words), so no row can be known by one of its
numbers; the two columns are known by all of theirs. Models are given two columns of one length to learn from. Where
none of the pairs that they are given is one of the table, but all of them are pairs of its columns in another order,
the two were moved apart. So they were where one column is read run by run and the other is not, of one table or of two
lists of one length. Tables of embeddings that are asked one after the other are given a pair too. It judges nothing.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Mispaired, Site, TableFact
from .readable import holds, readable
from .withheld import column

TABLES, CALLS, FEWEST, MOST, WIDE = 24, 16, 16, 20_000, 4
TORN, KINDS = 2, 4  # batches of which one side is a run of a column, and how many numbers that run holds at least
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

    def __init__(self, place: Callable[[], Site | None]) -> None:
        self.place = place
        self.held: list[Held] = []
        self._places: set[tuple[str, int, str]] = set()
        self.pairs: list[tuple[list[int], list[int]]] = []
        self.met: list[Site | None] = []  # where each pair was
        self._before: tuple[list[int] | None, Site | None] = None, None  # what a table was asked for last, and where

    def bound(self, place: tuple[str, int, str], site: Callable[[], Site], value: object) -> None:
        """A variable was bound at a place."""
        if len(self.held) < TABLES and place not in self._places and (columns := _columns(value)):
            self._places.add(place)
            self.held.append(Held(place[2], site(), value, columns))

    def given(self, args: tuple[object, ...]) -> None:
        """A model is called to learn from these."""
        if not self.held or len(self.pairs) >= CALLS or not args:
            return
        here, other = self.place(), column(args[min(len(args), 2) - 1])
        one = column(args[0]) if len(args) > 1 else self._before[0] if _follows(self._before[1], here) else None
        self._before = (other, here) if len(args) == 1 else (None, None)
        if one is None or other is None or len(one) != len(other) or len(one) < FEWEST // 2:
            return
        if one == other or (one, other) in self.pairs:
            return
        self.pairs.append((one, other))
        self.met.append(here)
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
        return tuple(itertools.islice(self._torn(batches), 1))

    def _moved(self, table: Held) -> Iterator[tuple[tuple[Held, int], tuple[Held, int]]]:
        """Columns, of one table or of two, that hold the numbers of the first two of a table in other orders."""
        long = [held for held in self.held if len(held.columns[0]) == len(table.columns[0])]
        sides = [
            [(held, at) for held in long for at, own in enumerate(held.ordered) if own == whole]
            for whole in table.ordered[:2]
        ]
        yield from itertools.product(*sides)

    def _torn(self, batches: list[list[tuple[int, int]]]) -> Iterator[Mispaired]:
        """Columns of which models were given numbers of one beside runs of the other that do not belong to them."""
        sides = [
            (held, at, {*held.columns[at]})
            for held in self.held
            if batches and not held.changed
            for at in range(len(held.columns))
            if not _numbered(held.columns[at])
        ]
        firsts, seconds = (  # that most numbers of a batch are of
            [(held, at) for held, at, of in sides if any(_mostly(pair[side], of) for pair in self.pairs)]
            for side in (0, 1)
        )
        pairs = [
            (first, a, second, b, set(zip(first.columns[a], second.columns[b])))
            for (first, a), (second, b) in itertools.product(firsts, seconds)
            if (first is not second or a != b) and len(first.columns[a]) == len(second.columns[b])
        ]
        known = [  # as some longer columns pair them
            any(len(first.columns[a]) > len(batch) and _share(batch, own) > KEPT for first, a, *_, own in pairs)
            for batch in batches
        ]
        for first, a, second, b, own in sorted(pairs, key=lambda pair: pair[0] is not pair[2]):
            one, other = first.columns[a], second.columns[b]
            if any(_share(batch, own) > KEPT for batch in batches):
                continue
            whole, torn = Counter(one), dict[int, int]()
            for at, batch in enumerate(batches):
                given, run = (list(side) for side in zip(*batch))
                fits = not known[at] and len({*run}) >= KINDS and not Counter(given) - whole
                start = _start(other, run) if fits else -1
                if start >= 0 and Counter(given) != Counter(one[start : start + len(run)]):
                    torn.setdefault(start, at)
            if len(torn) >= TORN:
                met = [pair for at in torn.values() for pair in batches[at]]
                same, place = sum(pair in own for pair in met), self.met[min(torn.values())]
                yield Mispaired(first.fact(a), second.fact(b), None, None, len(met), same, place, columns=True)


def _follows(before: Site | None, here: Site | None) -> bool:
    """Whether one place comes after another in the same function."""
    if before is None or here is None or (before.file, before.function) != (here.file, here.function):
        return False
    return (before.line, before.column) < (here.line, here.column)


def _mostly(numbers: list[int], of: set[int]) -> bool:
    return sum(number in of for number in numbers) > KEPT * len(numbers)


def _share(pairs: list[tuple[int, int]], of: set[tuple[int, int]]) -> float:
    return sum(pair in of for pair in pairs) / len(pairs)


def _start(column: Numbers, run: list[int]) -> int:
    """Where a column holds these numbers one after the other; -1 where nowhere."""
    places = (at for at, number in enumerate(column) if number == run[0])
    return next((at for at in places if [*column[at : at + len(run)]] == run), -1)


def _numbered(side: Numbers) -> bool:
    """Whether a column is the places of a table: then any other column is paired with it."""
    return sorted(side) == [*range(len(side))]


def _columns(value: Any) -> tuple[Numbers, ...]:
    """The columns of a table of whole numbers; none of anything else."""
    if holds(value, "iu"):
        table = value
    elif isinstance(value, torch.Tensor) and value.dtype in (torch.int64, torch.int32) and readable(value, MOST * WIDE):
        table = value.detach()
    else:
        return ()
    if not 1 <= table.ndim <= 2 or not FEWEST <= len(table) <= MOST or (table.ndim == 2 and table.shape[1] > WIDE):
        return ()
    rows = table.reshape(len(table), -1)
    return tuple(tuple(rows[:, at].tolist()) for at in range(rows.shape[1]))
