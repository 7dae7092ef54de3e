"""Tables of the script's, row by row: what tells one row from the others, and what a data frame says of which values
belong together.

Rows are known by their values alone, so it does not matter what moved them. It judges nothing.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
from dataclasses import field
from types import FrameType
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site, TableFact
from .contained import numbers
from .readable import readable

FEWEST = 8
ROWS = 20_000
VALUES = 4_000_000
LISTED = 4_000
COLUMNS = 64
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
    again: Site | None = None  # where the same rows were bound last
    like: Table | None = None  # the same rows on another scale, bound before
    place: tuple[str, int, str] | None = None
    counts: collections.Counter = field(default_factory=collections.Counter, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.hold(self.keys)

    def hold(self, keys: Keys) -> None:
        """Be a table of these rows."""
        self.keys, self.counts = keys, collections.Counter(keys)
        self.places = {key: at for at, key in enumerate(self.keys) if self.counts[key] == 1}

    @property
    def telling(self) -> bool:
        """Whether a row tells which one it is."""
        return len(self.places) >= 0.9 * len(self.keys)

    def moved(self, born: int) -> Table | None:
        """This table as it is by now, if its first rows are others and it was put into another order in place."""
        array = isinstance(self.live, (list, torch.Tensor)) or type(self.live).__module__ == "numpy"
        if not array or keys_of(self.live[:FEWEST]) in (None, self.keys[:FEWEST]):
            return None
        now = keys_of(self.live)
        same = now is not None and collections.Counter(now) == self.counts
        return Table(self.name, self.site, now or (), self.live, born, place=self.place) if same else None

    def cut(self, keys: Keys) -> bool:
        """Whether some rows are a part of this table, in its order."""
        places = [self.places.get(key, -1) for key in keys]
        return len(keys) < len(self.keys) and all(a < b for a, b in itertools.pairwise(places))

    def holds(self, keys: Keys) -> bool:
        """Whether all of some rows are rows of this table."""
        return len(keys) <= len(self.keys) and not collections.Counter(keys) - self.counts


class Frame:
    """The columns of numbers of a data frame as it was when it was bound: which values belong to one row."""

    def __init__(self, name: str, site: Site, frame: Any) -> None:
        self.name, self.site, self.live = name, site, frame
        self.texts = {
            frame.columns[at]: frame.iloc[:, at].tolist()
            for at in range(min(frame.shape[1], COLUMNS))
            if getattr(frame.iloc[:, at].dtype, "kind", "") == "O"
        }
        held = (frame.iloc[:, at] for at in range(min(frame.shape[1], COLUMNS)))
        kinds = (column for column in held if getattr(column.dtype, "kind", "") in "fiu")
        self.columns = [
            torch.from_numpy(column.to_numpy(dtype="float32", na_value=float("nan"), copy=True)) for column in kinds
        ]
        self._sorted = [column.sort().values for column in self.columns]
        self._known: dict[int, Table | None] = {}

    def pair(self, samples: Table, targets: Table) -> tuple[Table, Table] | None:
        """What two tables would be in the order of this frame's rows; `None` where any column of theirs is not here."""
        for table in (samples, targets):
            if table.born not in self._known:
                self._known[table.born] = self._table(table)
        one, other = self._known[samples.born], self._known[targets.born]
        return (one, other) if one is not None and other is not None else None

    def _table(self, table: Table) -> Table | None:
        held = numbers(table.live)
        if held is None or held.dim() > 2 or not self.columns or len(held) != len(self.columns[0]):
            return None
        found = []
        for column in held.reshape(len(held), -1).sort(dim=0).values.unbind(1):
            own = next((at for at, known in enumerate(self._sorted) if torch.equal(known, column)), None)
            if own is None or len(found) >= COLUMNS:
                return None
            found.append(self.columns[own])
        keys = keys_of(torch.stack(found, 1))
        alike = keys is not None and collections.Counter(keys) == table.counts
        return Table(table.name, self.site, keys, None, -1) if alike and keys is not None else None


def keys_of(value: Any, fewest: int = FEWEST) -> Keys | None:
    """Something that tells each row from others and does not depend on the order of the values within the row; `None`
    for what is no table of so many rows."""
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 0):
        if value.dtype.kind == "O" and value.ndim == 1:
            return keys_of([*value], fewest)
        if value.dtype.kind not in "fiub" or not 0 < value.size <= VALUES:
            return None
        with torch._C.DisableTorchFunction():
            value = torch.from_numpy(value.copy())
    if isinstance(value, torch.Tensor):
        if not readable(value, VALUES) or value.dim() == 0 or not fewest <= len(value) <= ROWS:
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


def under(tables: list[Table]) -> None:
    """Dictionaries become tables of what they hold; those of the same names list it in the same order. None is left."""
    orders: dict[frozenset[Any], tuple[Any, ...]] = {}
    for table in tables:
        names = orders.setdefault(frozenset(table.live), tuple(table.live))
        if FEWEST <= len(names) <= LISTED:
            with contextlib.suppress(TypeError, ValueError, RuntimeError):  # no numbers, or not as many in each
                held = [table.live[name] for name in names]
                table.hold(keys_of(held) or keys_of(torch.stack([torch.as_tensor(part) for part in held])) or ())
        table.live = None
    tables.clear()


def _listed(value: Any) -> Keys | None:
    """Rows of a list: numbers, texts, or sequences or arrays of numbers, shorter ones as if they were filled up with
    zeros."""
    if all(isinstance(part, str) for part in value):
        return tuple(value)
    if all(getattr(part, "ndim", 0) for part in value):
        return _filled(value)
    if all(isinstance(part, (bool, int, float)) for part in value) or (
        all(type(part) in (list, tuple) and part and isinstance(part[0], (bool, int, float)) for part in value)
    ):
        try:
            with torch._C.DisableTorchFunction():
                longest = max(len(part) for part in value) if isinstance(value[0], (list, tuple)) else 0
                filled = [[*part, *[0] * (longest - len(part))] for part in value] if longest else value
                return keys_of(torch.tensor(filled, dtype=torch.float64))
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return None
    return None


def _filled(value: Any) -> Keys | None:
    """Rows of a list of arrays or tensors."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        parts: list[torch.Tensor] = []
        for one in value:
            array = type(one).__module__ == "numpy" and one.dtype.kind in "fiub"
            if not array and not (isinstance(one, torch.Tensor) and readable(one, VALUES) and not one.requires_grad):
                return None
            part = torch.from_numpy(one.astype("float64")) if array else one.detach().to(torch.float64)
            parts.append(part.flatten())
        longest = max(map(len, parts))
        few = min(map(len, parts)) > 0 and len(parts) * longest <= VALUES
        return keys_of(torch.nn.utils.rnn.pad_sequence(parts, batch_first=True)) if few else None


def numbers_of(table: Table) -> torch.Tensor | None:
    """The numbers of a table that still is as it was bound."""
    held = numbers(table.live)
    return held if held is not None and keys_of(table.live) == table.keys else None


def fact_of(table: Table) -> TableFact:
    return TableFact(table.name, table.site, len(table.keys), table.born < 0)


def agree(samples: Table, targets: Table, given: Keys, asked: Keys) -> float:
    """The share of rows whose target is the one of the same row."""
    own = own_of(samples, targets, given)
    return sum(one == other for one, other in zip(own, asked)) / len(given) if own is not None else 0.0


def own_of(samples: Table, targets: Table, given: Keys) -> list[Any] | None:
    """The targets of the given rows; `None` where that cannot be told."""
    if len(samples.keys) != len(targets.keys) or any(key not in samples.places for key in given):
        return None
    return [targets.keys[samples.places[key]] for key in given]


def in_order(rows: list[int]) -> bool:
    """Whether rows are as they lie in their table, one after the other: enough of them that it is no accident."""
    return len(rows) >= FEWEST and rows == list(range(rows[0], rows[0] + len(rows)))


def counted(value: Any) -> bool:
    """Whether a target is 0, 1, 2 ..."""
    whole = isinstance(value, torch.Tensor) and value.dim() == 1 and value.dtype == torch.long and len(value) > 1
    return whole and readable(value, ROWS) and value.tolist() == list(range(len(value)))


def constructing(frame: FrameType | None) -> bool:
    """Whether a module is being constructed: what its constructor computes are weights and no samples."""
    while frame is not None:
        own = frame.f_code.co_varnames[:1] if frame.f_code.co_name == "__init__" else ()
        if own and isinstance(frame.f_locals.get(own[0]), torch.nn.Module):
            return True
        frame = frame.f_back
    return False
