"""Tells labels of which several became one on the way to the loss, though the model has an output for each of them.

The labels that a loss was asked for are laid beside every table of whole numbers that the script holds, row by row.
Where each number became one label, two of them the same, classes were lost. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import Merged
from .rows import Rows
from .tables import FEWEST, Keys, Table, fact_of

KINDS = 3


def merged(rows: Rows) -> Merged | None:
    """The first table whose numbers fit the outputs, from 0 or from 1 on, and were made fewer."""
    for table in rows.tables if rows.classed else ():
        low, high = (min(table.counts), max(table.counts)) if _whole(table) else (0, 0)
        for where in dict.fromkeys(place for *_, place in rows.classed):
            told = [one for one in rows.classed if one[3] == where and (low, high) in ((0, one[2] - 1), (1, one[2]))]
            pairs = [pair for given, asked, *_ in told for pair in _laid(rows, table, given, asked)]
            became = dict(pairs)
            known = set(became.values())
            if len(pairs) < FEWEST or len(became) < KINDS or any(became[own] != label for own, label in pairs):
                continue
            if not 2 <= len(known) < len(became) or not all(0 <= label < told[0][2] for label in known):
                continue
            label = next(one for one in sorted(known) if list(became.values()).count(one) > 1)
            alike = tuple(int(own) for own in sorted(became) if became[own] == label)
            asked = next((one for one in rows.tables if one is not table and one.keys == _all(table, became)), None)
            made = asked.site if asked is not None else None
            return Merged(fact_of(table), int(label), alike, len(known), told[0][2], where, made)
    return None


def _whole(table: Table) -> bool:
    """Whether a table holds a few whole numbers many times."""
    few = KINDS <= len(table.counts) <= len(table.keys) / 2
    return few and all(isinstance(key, float) and key % 1 == 0 for key in table.counts)


def _laid(rows: Rows, table: Table, given: Keys, asked: Keys) -> Iterator[tuple[float, float]]:
    """What a table holds of each sample, and what the loss was asked for; none where that cannot be told."""
    samples = next((one for one in rows.tables if one.telling and _beside(one, table, given)), None)
    if samples is not None:
        yield from zip((table.keys[samples.places[key]] for key in given), asked)
    elif len(table.keys) == len(asked):
        yield from zip(table.keys, asked)


def _beside(samples: Table, table: Table, given: Keys) -> bool:
    return len(samples.keys) == len(table.keys) and all(key in samples.places for key in given)


def _all(table: Table, became: dict[float, float]) -> Keys:
    return tuple(became.get(own) for own in table.keys)
