"""Which rows of a made-up table a condition selects. Values that were made up tell nothing of it, so that a condition
which holds of all rows or of none selects every second one, and its contrary the others: something is left either way,
and no row is on both sides."""

from __future__ import annotations

from typing import Any

import numpy

CONTRARY = frozenset({"ne", "gt", "ge"})  # of `eq`, `le`, `lt`
COMPARES = CONTRARY | {"eq", "le", "lt"}
JOINS = frozenset({"and_", "or_", "invert"})
FEWEST = 4  # rows of which some are selected


def split(found: Any, name: str) -> Any:
    """What a comparison of a column gives, with some rows on both sides.

    >>> split(numpy.asarray([False] * 4), "eq").tolist(), split(numpy.asarray([True] * 4), "ne").tolist()
    ([False, True, False, True], [True, False, True, False])
    """
    flags = isinstance(found, numpy.ndarray) and found.dtype == bool and found.ndim == 1 and len(found) >= FEWEST
    if name not in COMPARES or not flags or found.any() != found.all():
        return found
    return numpy.arange(len(found)) % 2 == (name not in CONTRARY)


def flags(found: Any) -> Any:
    """What a method gives of a column that is taken for a condition, where it is none: it holds of every second row.

    >>> flags(numpy.asarray([0.5, 0.1, 0.2])).tolist()
    [False, True, False]
    """
    if isinstance(found, numpy.ndarray) and found.ndim == 1 and found.dtype != bool:
        return numpy.arange(len(found)) % 2 == 1
    return found


def rows(key: Any, count: int) -> Any:
    """An index into so many rows: a condition of another table's rows is one of these, and some are left of many.

    >>> rows(numpy.asarray([True, False]), 5).tolist(), rows(numpy.asarray([0.5, 2.5]), 2).tolist()
    ([True, False, True, False, True], [False, True])
    """
    if isinstance(key, tuple) and key:
        return rows(key[0], count), *key[1:]
    if not isinstance(key, numpy.ndarray) or key.ndim != 1 or not count or not len(key):
        return key
    if key.dtype.kind in "iu":
        return key % count
    if key.dtype.kind == "f":
        key = flags(key)
    if key.dtype == bool:
        key = key if len(key) == count else numpy.resize(key, count)
        return numpy.arange(count) % 2 == 1 if count >= FEWEST and not key.any() else key
    return key
