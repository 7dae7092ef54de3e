"""Which inputs of one step are of the same kind: whether the rows of two calls of a model have the same label in a
table that lies beside the rows, all of them or none.

It judges nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...trace import Kin
from .notes import Notes
from .tables import FEWEST, Keys, Table

CALLS, NEAR = 24, 3  # calls that are kept, and how many of them may be of one step
KINDS, MOST = 4, 0.9  # rows of a kind on average, and the largest share of one


class Kinds:
    """Told of what models that learn are given."""

    def __init__(self) -> None:
        self._given: list[tuple[torch.Tensor, Keys]] = []

    def given(self, value: torch.Tensor, keys: Keys) -> None:
        """A model is given rows."""
        if len(self._given) < CALLS:
            self._given.append((value, keys))

    def found(self, tables: Sequence[Table], notes: Notes) -> tuple[Kin, ...]:
        """Every two inputs near each other that have the same labels in a table, or no label in common."""
        return tuple(self._found(tables, notes)) if len(self._given) > 1 else ()

    def _found(self, tables: Sequence[Table], notes: Notes) -> Iterator[Kin]:
        labels = [table for table in tables if _labels(table)]
        for at, (one, own) in enumerate(self._given if labels else ()):
            for other, rows in self._given[at + 1 : at + NEAR]:
                if len(own) != len(rows) or one is other:
                    continue
                held = next((t for t in tables if t.telling and all(key in t.places for key in (*own, *rows))), None)
                for table in labels if held is not None else ():
                    if held is None or len(table.keys) != len(held.keys):
                        continue
                    pairs = [(table.keys[held.places[a]], table.keys[held.places[b]]) for a, b in zip(own, rows)]
                    same = sum(a == b for a, b in pairs)
                    first, second = notes.get(one), notes.get(other)
                    if same in (0, len(pairs)) and first is not None and second is not None:
                        yield Kin((first.uid, second.uid), same > 0, len(pairs), table.name, table.site)


def _labels(table: Table) -> bool:
    """Whether a table holds one of few whole numbers, or texts, per row."""
    few = 2 <= len(table.counts) <= len(table.keys) / KINDS
    if not few or table.counts.most_common(1)[0][1] > MOST * len(table.keys):
        return False
    return all(_label(key) for key in itertools.islice(table.keys, FEWEST))


def _label(key: Any) -> bool:
    return isinstance(key, str) or (isinstance(key, (int, float)) and key % 1 == 0)
