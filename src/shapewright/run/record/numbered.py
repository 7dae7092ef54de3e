"""Which number stands for which word: in what a model learned from, and in what it was judged on.

Words of a data frame lie beside whole numbers, row by row: in another column of the frame, or in a table of as many
rows. Where each word has one number and each number one word, that is a numbering. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...dataclass import dataclass
from ...trace import Site, TableFact, Unscaled
from .rows import Rows
from .tables import COLUMNS, Frame, Table, keys_of

WORDS = 3
ALIKE = 0.5  # of the words of both: the share that has one number in both, at most


@dataclass
class Numbering:
    """The numbers of the words in one column of a frame, and the table of whole numbers where they stand."""

    column: str
    numbers: dict[Any, int]
    table: Table
    site: Site

    def agrees(self, other: Numbering) -> bool:
        """Whether the words of both mostly have the same numbers, or there are too few to tell."""
        both = self.numbers.keys() & other.numbers.keys()
        same = sum(self.numbers[word] == other.numbers[word] for word in both)
        return len(both) < WORDS or same > ALIKE * len(both)


def renumbered(rows: Rows) -> Unscaled | None:
    """The first words that have other numbers in what is judged than in what was learned from."""
    if not rows.learned or not rows.judged or not any(frame.texts for frame in rows.frames):
        return None
    found = [one for frame in rows.frames for one in _numberings(frame, rows)]
    learned = [one for one in found if any(one.table.holds(keys) for keys in rows.learned)]
    asked, where, _ = rows.judged[0]
    for other in (one for one in found if one.table.holds(asked)):
        own = [one for one in learned if one.column == other.column and one.table is not other.table]
        if not own or any(one.agrees(other) for one in own):
            continue
        word = next(w for w in other.numbers if own[0].numbers.get(w, other.numbers[w]) != other.numbers[w])
        facts = (TableFact(one.table.name, one.site, len(one.table.keys)) for one in (own[0], other))
        return Unscaled(*facts, where, str(word), (own[0].numbers[word], other.numbers[word]))
    return None


def _numberings(frame: Frame, rows: Rows) -> Iterator[Numbering]:
    """The numberings of the words of a frame."""
    for name, words in frame.texts.items():
        for table, site, column in _whole(frame, rows):
            alike = zip(words, column) if len(column) == len(words) else ()
            pairs = {pair for pair in alike if isinstance(pair[0], str)}  # a column may hold lists or sets
            if WORDS <= len(pairs) == len({word for word, _ in pairs}) == len({number for _, number in pairs}):
                yield Numbering(name, dict(pairs), table, site)


def _whole(frame: Frame, rows: Rows) -> Iterator[tuple[Table, Site, list[int]]]:
    """The columns of whole numbers of a frame as it is now, and of the tables of as many rows."""
    held = frame.live
    for at in range(min(held.shape[1], COLUMNS)):
        series = held.iloc[:, at]
        keys = keys_of(series.to_numpy()) if getattr(series.dtype, "kind", "") in "iu" else None
        if keys is not None:
            site = rows.columns.get((id(held), held.columns[at]), frame.site)
            yield Table(frame.name, site, keys, None, -1), site, series.tolist()
    for table in rows.tables:
        live = table.live
        kind = str(getattr(live, "dtype", "")).removeprefix("torch.")
        if kind.startswith(("int", "uint")) and len(table.keys) == len(live) == len(held) and live.ndim <= 2:
            for part in live.reshape(len(live), -1).T[:COLUMNS]:
                yield table, table.again or table.site, part.tolist()
