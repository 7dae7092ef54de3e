"""Which rows of the script's tables meet in training: what was put into another order, and whether its partner was too.

Tables are what variables are bound to: arrays, tensors and lists of eight rows or more. Rows are known by their values
alone, so it does not matter what moved them. Samples of a model's input are looked up in the tables; the targets of the
loss that follows are then compared with the rows of every table that came into being beside them. It judges nothing.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from ...trace import Mispaired, Site, TableFact
from .losses import LOSSES
from .readable import readable

FEWEST = 8
ROWS = 20_000
VALUES = 4_000_000
LISTED = 4_000
TABLES = 48
ASKED = 12
Keys = tuple[Any, ...]


@dataclass
class Table:
    """A table as it was when it was bound; `live` is the thing itself, which may have changed in place since."""

    name: str
    site: Site
    keys: Keys
    live: Any
    born: int
    places: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        counts = collections.Counter(self.keys)
        self.places = {key: at for at, key in enumerate(self.keys) if counts[key] == 1}

    @property
    def telling(self) -> bool:
        """Whether a row tells which one it is."""
        return len(self.places) >= 0.9 * len(self.keys)

    def cut(self, keys: Keys) -> bool:
        """Whether some rows are a part of this table, in its order."""
        places = [self.places.get(key, -1) for key in keys]
        return len(keys) < len(self.keys) and all(a < b for a, b in itertools.pairwise(places))

    def holds(self, keys: Keys) -> bool:
        """Whether all of some rows are rows of this table."""
        return not collections.Counter(keys) - collections.Counter(self.keys)


class Rows:
    """Fed with bindings and with what outermost models are given; asked before every loss."""

    def __init__(self, place: Callable[[], Site | None]) -> None:
        self.place = place
        self.tables: list[Table] = []
        self.met: list[tuple[Keys, Keys, Site | None]] = []
        self.entered: list[tuple[Keys, Keys, Site | None]] = []  # tables bound at one line: arguments of one call
        self._last: tuple[tuple[str, int], Keys] | None = None
        self._places: set[tuple[str, int, str]] = set()
        self._given: list[Keys] = []

    def bound(self, place: tuple[str, int, str], site: Callable[[], Site], value: Any) -> None:
        """A variable was bound at a place, perhaps for the first time."""
        if place in self._places or len(self.tables) >= TABLES:
            return
        self._places.add(place)
        if isinstance(value, torch.Tensor) and value.requires_grad:
            return
        keys = keys_of(value)
        if keys is not None and self._last is not None and self._last[0] == place[:2]:
            self.entered += [(self._last[1], keys, site())] if len(self._last[1]) == len(keys) else []
        self._last = (place[:2], keys) if keys is not None else self._last
        if keys is not None and all(table.keys != keys for table in self.tables):
            self.tables.append(Table(place[2], site(), keys, value, len(self.tables)))

    def given(self, args: tuple[Any, ...]) -> None:
        """An outermost model is called to learn."""
        if self.tables and len(self.met) < ASKED and torch.is_grad_enabled():
            found = (
                keys_of(value) for value in args[:2] if isinstance(value, torch.Tensor) and not value.requires_grad
            )
            self._given = [keys for keys in found if keys is not None]

    def asked(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Called before every recorded operator: the targets of a loss meet what the model was given last."""
        if op not in LOSSES or not self._given or len(self.met) >= ASKED or not torch.is_grad_enabled():
            return
        target = args[1] if len(args) > 1 else kwargs.get("target")
        if isinstance(target, torch.Tensor) and not target.requires_grad:
            keys = keys_of(target)
            self.met += [(own, keys, self.place()) for own in self._given if keys is not None and len(own) == len(keys)]

    def found(self) -> tuple[Mispaired, ...]:
        """Pairs of tables whose rows met in another order than the one in which they came into being; none where any
        meeting kept the old order."""
        made: dict[tuple[int, int], Mispaired] = {}
        kept: set[tuple[int, int]] = set()
        versions = [*self._changed(), *self.tables]
        for given, asked, where in [*self.met, *self.entered]:
            for samples in self.tables:
                rows = [samples.places.get(key) for key in given]
                if not samples.telling or None in rows or self._first(samples) is not samples:
                    continue
                for targets in self.tables:
                    pair = (samples.born, targets.born)
                    if targets is samples or len(targets.keys) != len(samples.keys) or not targets.holds(asked):
                        continue
                    if self._first(targets) is not targets or len(set(targets.keys)) < 2:
                        continue
                    own, partner = self._partners(samples, targets)
                    if pair in kept or _agree(own, partner, given, asked) > 0.8:
                        kept |= {pair} if (given, asked, where) in self.met else set()
                    elif pair not in made and (told := self._told(versions, own, partner, given, asked)) is not None:
                        made[pair] = replace(told, met=where)
        return () if kept else tuple(made.values())[:1]

    def _changed(self) -> list[Table]:
        """Tables that were put into another order in place."""
        made = []
        for table in self.tables:
            keys = keys_of(table.live)
            if keys is not None and keys != table.keys and collections.Counter(keys) == collections.Counter(table.keys):
                made.append(Table(table.name, table.site, keys, None, -1))
        return made

    def _first(self, table: Table) -> Table:
        """The earliest table whose rows these are, in another order: a part that keeps the order is a table of its
        own, as windows cut from a series are."""
        return next(one for one in self.tables if one is table or (one.holds(table.keys) and not one.cut(table.keys)))

    def _partners(self, samples: Table, targets: Table) -> tuple[Table, Table]:
        """The forms that both had when the later one of them came into being."""
        then = max(samples.born, targets.born)

        def form(table: Table) -> Table:
            same = [one for one in self.tables if one.born <= then and len(one.keys) == len(table.keys)]
            return [one for one in same if table.holds(one.keys)][-1]

        return form(samples), form(targets)

    def _told(
        self, versions: list[Table], samples: Table, targets: Table, given: Keys, asked: Keys
    ) -> Mispaired | None:
        """The forms in which the rows do agree, one of which was moved alone."""
        for left in (one for one in versions if samples.holds(one.keys)):
            for right in (one for one in versions if targets.holds(one.keys)):
                batch = len(left.keys) < len(samples.keys) and len(left.keys) <= len(given)
                if batch or len(left.keys) != len(right.keys) or (left is samples and right is targets):
                    continue
                if _agree(left, right, given, asked) == 1.0:
                    share = _agree(samples, targets, given, asked)
                    moved = (None if left is samples else _fact(left), None if right is targets else _fact(right))
                    return Mispaired(_fact(samples), _fact(targets), *moved, len(given), round(share * len(given)))
        if targets.telling and len(samples.keys) == len(targets.keys):
            rows, others = (
                [table.places.get(key) for key in keys] for table, keys in ((samples, given), (targets, asked))
            )
            if None not in others and rows != others and collections.Counter(rows) == collections.Counter(others):
                same = sum(row == other for row, other in zip(rows, others))
                return Mispaired(_fact(samples), _fact(targets), None, None, len(given), same)
        return None


def _fact(table: Table) -> TableFact:
    return TableFact(table.name, table.site, len(table.keys), table.born < 0)


def _agree(samples: Table, targets: Table, given: Keys, asked: Keys) -> float:
    """The share of rows whose target is the one of the same row."""
    if len(samples.keys) != len(targets.keys) or any(key not in samples.places for key in given):
        return 0.0
    return sum(targets.keys[samples.places[key]] == other for key, other in zip(given, asked)) / len(given)


def keys_of(value: Any) -> Keys | None:
    """Something that tells each row from others and does not depend on the order of the values within the row; `None`
    for what is no table."""
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 0):
        if value.dtype.kind not in "fiub" or not value.size:
            return None
        with torch._C.DisableTorchFunction():
            value = torch.from_numpy(value.copy())
    if isinstance(value, torch.Tensor):
        if not readable(value, VALUES) or value.dim() == 0 or not FEWEST <= len(value) <= ROWS:
            return None
        if value.dtype.is_complex:
            return None
        with torch._C.DisableTorchFunction(), torch.no_grad():
            rows = value.detach().to(torch.float32).to(torch.float64).reshape(len(value), -1)
            if rows.shape[1] == 1:
                return tuple(rows[:, 0].tolist())
            parts = (rows.sum(1), rows.square().sum(1), rows.pow(3).sum(1))
            return tuple(zip(*(part.to(torch.float32).tolist() for part in parts)))
    if type(value) in (list, tuple) and FEWEST <= len(value) <= LISTED:
        return _listed(value)
    return None


def _listed(value: Any) -> Keys | None:
    """Rows of a list: numbers, texts, or sequences of numbers of one length."""
    if all(isinstance(part, str) for part in value):
        return tuple(value)
    if all(isinstance(part, (bool, int, float)) for part in value) or (
        all(type(part) in (list, tuple) and part for part in value) and len({len(part) for part in value}) == 1
    ):
        try:
            with torch._C.DisableTorchFunction():
                return keys_of(torch.tensor(value, dtype=torch.float64))
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return None
    return None
