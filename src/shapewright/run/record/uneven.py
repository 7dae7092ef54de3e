"""Tables that one mean and one deviation have scaled, whatever their columns hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...trace import OneScale
from .scaled import one_scale
from .tables import Keys, Table, numbers_of


def unevenly_scaled(tables: Iterable[Table], learned: Sequence[Keys]) -> tuple[OneScale, ...]:
    """The first that leaves columns of which one hardly varies beside another, and that is learned from."""
    for table in (one for one in tables if one.like is not None):
        held = numbers_of(table)
        found = one_scale(numbers_of(table.like), held) if held is not None else None
        if held is not None and found is not None and any(table.holds(keys) for keys in learned):
            return (OneScale(table.name, table.site, held.shape[1], *found),)
    return ()
