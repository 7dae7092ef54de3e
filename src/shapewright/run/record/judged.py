"""Asks the tables which rows were learned from and which were judged after: the same ones, or ones with which what was
learned from was scaled. It judges nothing."""

from __future__ import annotations

import collections
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from ...trace import Retested, Scaled, Unscaled
from .contained import columns_of
from .copies import ASKED, copies
from .merged import merged
from .numbered import renumbered
from .rows import Rows
from .scaled import MANY, forms, rescaled, scale_of, scaled_by, standardized, windows_of
from .tables import FEWEST, Table, fact_of, numbers_of
from .windows import between

if TYPE_CHECKING:
    from .recorder import Recorder

MOST = 0.6  # of what is trained on: the share that may be a test set
COPIES = 0.3  # different rows among all: the others are copies of real numbers that no chance repeats
HANDED = frozenset(
    {"getitem", "index_select", "select", "narrow", "split", "chunk", "unbind", "stack", "cat", "clone", "copy_"}
    | {"to", "float", "double", "detach", "contiguous", "tensor", "as_tensor", "from_numpy", "pin_memory"}
    | {"view", "reshape", "flatten", "squeeze", "unsqueeze"}
)
CLOSE = 1e-4  # of numbers that were scaled alike
MET = 0.1  # of the rows that were trained on, the least share that is judged
REPEATED = 0.2  # of what is judged: the share that a table holding rows several times also gives to training
LEAST, SHARE = 3, 0.05  # rows, and the share of what is judged, that two parts have in common


class Judged:
    """What the tables of a run that has ended tell."""

    def __init__(self, rows: Rows, recorder: Recorder) -> None:
        self.rows, self.tables, self.recorder = rows, rows.tables, recorder
        judged = rows.judged
        self.first = first = [keys for keys, _, resumed in judged if resumed == judged[0][2]]
        used = rows.learned[: rows.until] if judged else []
        self.used = {key for keys in used for key in keys}
        """The rows that were trained on before any were judged."""
        self.seen = {key for keys in first for key in keys}
        """Those that were judged first."""

    def told(self) -> dict[str, Any]:
        """All of it, by the names of `Seen`."""
        return {
            "retested": self.retested() or self.rows.series.retested(),
            "scaled": self.scaled(),
            "unscaled": self.unscaled(),
            "merged": merged(self.rows),
        }

    def retested(self) -> Retested | None:
        """What was trained on, and what shares rows with it and was judged after: two tables, or two lists of places of
        one table."""
        whole, seen = self._covering(self.used), self.seen
        part = self._covering(seen)
        if whole is not None and part is not None and seen and not seen & self.used:
            return self._between(whole, part) or self._copied(whole, part)
        if part is None and whole is not None:  # other data were judged as well
            seen = {key for keys in self.first if whole.counts.keys() >= set(keys) for key in keys}
            part = self._covering(seen) if seen else None
        if len(seen & self.used) < 2 or whole is None or part is None or not (_tells(whole) and _tells(part)):
            return None
        if whole is not part and _listing(whole) and max(whole.keys) < len(whole.keys):
            return None  # an order of places: what was asked for are numbers of something else
        within = [len(whole.counts.keys() & set(keys)) / len(set(keys)) for keys in self.first]
        if part is not whole and part.counts.keys() >= whole.counts.keys() and not {0.0, 1.0} ^ set(within):
            return None  # what is trained on was asked as well, and apart from it what is held out
        if any(not whole.counts.keys() >= set(keys) for keys in self.rows.learned):
            return None  # a batch of what is trained on, as a memory gives out anew in every step
        if part is whole:
            held = self._picked(part, self.used), self._picked(part, seen)
            if None in held:
                return self._repeated()
            whole, part = held
        if whole is None or part is None or part is whole:
            return None
        rows = [whole.places.get(key, -1) for key in part.keys]
        shared = sum(key in whole.counts for key in part.keys)
        batches = {frozenset(keys) for keys in self.rows.learned}
        if shared < max(LEAST, SHARE * len(rows)) or frozenset(part.keys) in batches:
            return None
        whole_part = shared == len(rows)
        most = whole_part and (seen is not self.seen or len(rows) > MOST * len(whole.keys))
        first = rows == list(range(len(rows))) and not self._computed(part) and not self._elsewhere()
        if most or first:
            return self._repeated()  # nearly all, beside others, or the first rows, on purpose; or any of copies
        trained = replace(fact_of(whole), site=whole.again or whole.site)
        same = len(self.used & seen)
        if same < MET * len(self.used):
            return None  # rows that are alike by chance
        copied = next((one.site for one in self.tables if _tells(one) and not one.telling), None)
        return Retested(trained, fact_of(part), self.rows.judged[0][1], len(rows), same, shared, copied)

    def _repeated(self) -> Retested | None:
        """A table that holds real rows several times, and two lists of its places that share none: a row that one of
        them picks, the other picks again."""
        for base in (one for one in self.tables if not one.telling and _tells(one) and self.used <= one.counts.keys()):
            lists = [(one, {base.keys[int(place)] for place in one.keys}) for one in self.tables if _places(one, base)]
            whole, part = (
                min(
                    ((one, held) for one, held in lists if keys <= held), key=lambda two: len(two[0].keys), default=None
                )
                for keys in (self.used, self.seen)
            )
            if whole is None or part is None or whole[0].places.keys() & part[0].places.keys():
                continue
            shared, rows = sum(base.keys[int(place)] in whole[1] for place in part[0].keys), len(part[0].keys)
            if shared >= max(LEAST, REPEATED * rows):
                where, same = self.rows.judged[0][1], len(self.used & self.seen)
                return Retested(fact_of(base), fact_of(part[0]), where, rows, same, shared, base.site)
        return None

    def _between(self, whole: Table, part: Table) -> Retested | None:
        """Windows that are judged and lie between those that were trained on."""
        numbers, asked = numbers_of(whole), numbers_of(part)
        if numbers is None or asked is None:
            return None
        if part is whole:  # whatever else it holds may be judged as well
            numbers = numbers[[whole.places[key] for key in self.used if key in whole.places]]
        rows = asked[[part.places[key] for key in itertools.islice(self.seen, ASKED) if key in part.places]]
        same = between(rows, numbers)
        told = Retested(fact_of(whole), fact_of(part), self.rows.judged[0][1], len(rows), same, 0)
        return replace(told, windows=True) if same else None

    def _copied(self, whole: Table, part: Table) -> Retested | None:
        """Rows that are judged and are copies, though changed ones, of rows that were trained on."""
        numbers, asked = numbers_of(whole), numbers_of(part)
        most = part is not whole and len(part.keys) > MOST * len(whole.keys)
        if numbers is None or asked is None or most:
            return None
        rows = asked[[part.places[key] for key in itertools.islice(self.seen, ASKED) if key in part.places]]
        own = [whole.places[key] for key in self.used if key in whole.places]
        rest = [at for at, key in enumerate(whole.keys) if key not in self.seen]
        labels = collections.Counter(key for _, given, _ in self.rows.met for key in given)
        near = copies(rows, numbers[rest], labels) if len(rows) and own else None
        if near is None:
            return None
        # those that were not trained on yet when the run was cut will be, where the table is all of them
        same = near.count if whole is not part else near.among(rows, numbers[own])
        told = Retested(fact_of(whole), fact_of(part), self.rows.judged[0][1], len(rows), same, 0)
        return replace(told, near=near.near, far=near.far) if same >= LEAST else None

    def scaled(self) -> Scaled | None:
        """A table that was scaled with rows that are judged: with those alone, or with them and those trained on."""
        used, seen = self.used, self.seen
        if not used or not seen or used & seen:
            return None
        whole = self._covering(used | seen)
        if whole is not None and whole.telling and standardized(numbers_of(whole)):
            return Scaled(fact_of(whole), alone=False, apart=self._divided(whole))
        own, other = self._covering(used), self._covering(seen)
        if own is not None and other is not None:
            for numbers in map(numbers_of, self.tables):
                if numbers is not None and all(_rows_of(numbers, given) for given in self.rows.shown):
                    told = replace(fact_of(own), rows=len(numbers))
                    return Scaled(told, alone=False, apart=own is not other or self._divided(own))
        if own is not None and other is not None and own is not other:
            both = own.telling and standardized(numbers_of(own))
            if other.telling and standardized(numbers_of(other), ranges=both):  # a grid reaches from 0 to 1 by itself
                return Scaled(fact_of(other), alone=True, apart=True)
        return self._with_all() or self._series(own)

    def _series(self, own: Table | None) -> Scaled | None:
        """A series that was scaled by its own average and spread before windows were cut that are judged."""
        for table in self.tables:
            numbers = numbers_of(table)
            if numbers is not None and windows_of(numbers, *self.rows.shown):
                return Scaled(replace(fact_of(own or table), rows=len(numbers)), alone=False, apart=True)
        return None

    def unscaled(self) -> Unscaled | None:
        """What is trained on and what is judged, where the same thing is another number in each."""
        return self._unscaled() or renumbered(self.rows) or self.rows.words.renumbered(self.tables, self.rows.met)

    def _unscaled(self) -> Unscaled | None:
        """The two where both are parts of one table and one of them was rescaled."""
        used, seen = self.used, self.seen
        own, other = (self._covering(used), self._covering(seen)) if used and seen else (None, None)
        if own is None or other is None or used & seen:
            return None
        for part, plain in ((own, other), (other, own)):
            raw = part.like
            if raw is None or not (raw.telling and plain.telling):
                continue
            if any(one.holds(raw.keys) and one.holds(plain.keys) and not one.holds(part.keys) for one in self.tables):
                return Unscaled(fact_of(own), fact_of(other), self.rows.judged[0][1])
        return None

    def _covering(self, keys: set[object]) -> Table | None:
        """The smallest table that holds all of some rows, of equal ones the last."""
        found = [table for table in self.tables if keys <= table.counts.keys()]
        return min(found, key=lambda table: (len(table.keys), -table.born), default=None)

    def _divided(self, whole: Table) -> bool:
        """Whether a list of places that tells what is learned from what is judged was there before a table was."""
        used, seen = (
            {float(whole.places[key]) for key in keys if key in whole.places} for keys in (self.used, self.seen)
        )
        earlier = (one for one in self.tables if one.born < whole.born and _places(one, whole))
        return any(used <= one.places.keys() and not seen & one.places.keys() for one in earlier)

    def _computed(self, table: Table) -> bool:
        """Whether a table's numbers were computed and not cut, picked or copied from others."""
        note = self.recorder.notes.get(table.live) if isinstance(table.live, torch.Tensor) else None
        made = self.recorder.raw[note.producer][0] if note is not None and note.producer >= 0 else ""
        return bool(made) and made not in HANDED

    def _picked(self, base: Table, keys: set[object]) -> Table | None:
        """The smallest list of places of a table that picks all of some rows, of equal ones the first."""
        at = {float(base.places[key]) for key in keys if key in base.places}
        at = self._before(base, at)
        found = [one for one in self.tables if one is not base and at <= one.places.keys() and _places(one, base)]
        if not any(len(one.keys) < len(base.keys) for one in found):  # else one that was drawn anew
            found += [one for one in self.rows.listed.values() if at <= one.places.keys() and _places(one, base)]
        return min(found, key=lambda table: (len(table.keys), table.born), default=None) if len(at) >= FEWEST else None

    def _before(self, base: Table, at: set[float]) -> set[float]:
        """Places of a table that was picked from another by a list of places, and scaled, as places of the other."""
        held = numbers_of(base) if base.telling else None
        for order in self.tables if held is not None else ():
            if order.born >= base.born or len(order.keys) != len(base.keys) or not _listing(order):
                continue
            rows = torch.tensor(order.keys).long()
            for one in self.tables:
                raw = numbers_of(one) if one.born < order.born and one.telling else None
                if raw is not None and int(rows.max()) < len(raw) and rescaled(raw[rows], held):
                    return {float(order.keys[int(place)]) for place in at}
        return at

    def _elsewhere(self) -> bool:
        """Whether other rows are judged once training has gone on, as of fold after fold."""
        return any(not self.seen >= set(keys) for keys, _, resumed in self.rows.judged if resumed)

    def _with_all(self) -> Scaled | None:
        """A table scaled by the average and the spread, or the ends, of one that holds what is judged as well, where
        what is learned from and judged are rows of it, or cut from it and others scaled alike."""
        learned, judged = (
            torch.cat([part.flatten() for part in parts]) if parts else None for parts in self.rows.shown
        )
        if learned is None or judged is None:
            return None
        held = [(table, numbers) for table in self.tables if (numbers := numbers_of(table)) is not None]
        values = {table.born: numbers for table, numbers in held}
        made = [
            (table, scale)
            for table, numbers in held
            if table.like is not None and (raw := values.get(table.like.born)) is not None
            for scale in (scale_of(raw, numbers),)
            if scale is not None
        ]
        for whole, numbers in held:
            alike = [table for table, scale in made if table is not whole and scaled_by(numbers, scale)]
            own, other = (_holding(alike, values, given) for given in (learned, judged))
            raw = values.get(other.like.born) if other is not None and other.like is not None else None
            if own is None or other is None or raw is None:
                continue
            before = values[own.like.born] if own.like is not None else raw
            if all(bool(torch.isin(part, numbers).all()) for part in (raw, before)) and len(before) < len(numbers) + (
                own is other
            ):
                return Scaled(replace(fact_of(own), rows=len(numbers)), alone=False, apart=own is not other)
        return None


def _rows_of(numbers: torch.Tensor, shown: list[torch.Tensor]) -> bool:
    """Whether inputs are rows of a table that was scaled by its own averages and deviations, or ends."""
    if numbers.dim() != 2 or len(numbers) < MANY or not shown or numbers.shape[1] < LEAST:
        return False
    raw = columns_of(numbers).double()
    if not bool(torch.isfinite(raw).all()):  # no averages could be taken
        return False
    given = torch.cat([part[:MANY] for part in shown if part.shape[1] == raw.shape[1]] or [raw[:0]]).double()
    if not len(given) or _near(given, raw):
        return False
    return any(_near(given, form) for form in forms(raw))


def _near(rows: torch.Tensor, table: torch.Tensor) -> bool:
    """Whether each of some rows is a row of a table."""
    return bool((torch.cdist(rows, table, p=float("inf")).min(1).values < CLOSE).all())


def _holding(tables: list[Table], values: dict[int, torch.Tensor], given: torch.Tensor) -> Table | None:
    return next((one for one in tables if bool(torch.isin(given, values[one.born]).all())), None)


def _tells(table: Table) -> bool:
    """Whether a row tells which one it is, or is one of few copies of a row of real numbers."""
    real = all(isinstance(key, tuple) and key[0] % 1 for key in itertools.islice(table.keys, FEWEST))
    return table.telling or (real and len(table.counts) > COPIES * len(table.keys))


def _places(table: Table, base: Table) -> bool:
    """Whether a table's rows are places of another table, each once."""
    return 0 < len(table.keys) <= len(base.keys) and _listing(table) and max(table.keys) < len(base.keys)


def _listing(table: Table) -> bool:
    """Whether a table's rows are places, each once."""
    rows = table.keys
    whole = len(table.places) == len(rows) and all(isinstance(row, float) for row in rows)
    return whole and all(row % 1 == 0 and row >= 0 for row in rows)
