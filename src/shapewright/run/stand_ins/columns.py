"""What functions of a column come to, whichever library the column would be of: a function of the script's own is asked
of each entry, a method of words of each word, entries are counted.

Nothing of a library is imitated beyond that; what is not known here leaves the column as it is (`forms`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy

EACH = frozenset({"apply", "map", "applymap", "transform", "progress_apply", "progress_map", "parallel_apply"})
COUNTED = frozenset({"value_counts"})
OF_ROWS = frozenset({"shape", "values", "size", "ndim", "index", "T", "iloc", "loc", "name", "dtype"})  # no entries
OF_TABLES = OF_ROWS | {
    "at",
    "iat",
    "ix",
    "columns",
    "str",
    "dt",
    "cat",
    "plot",
    "data",
    "style",
    "empty",
    "axes",
    "dtypes",
}
SIDE, CHANNELS = 64, 3


def column_of(entries: Iterable[Any]) -> numpy.ndarray:
    """A column of some entries, each of which may be a list.

    >>> column_of([1, 2]), column_of([[1], [2, 3]]).shape
    (array([1, 2]), (2,))
    """
    entries = list(entries)
    if all(numpy.ndim(entry) == 0 for entry in entries):
        return numpy.asarray(entries, object if any(isinstance(entry, str) for entry in entries) else None)
    made = numpy.empty(len(entries), object)
    for place, entry in enumerate(entries):
        made[place] = entry
    return made


def called(found: numpy.ndarray, name: str, given: tuple[Any, ...], options: dict[str, Any], words: bool) -> Any:
    """What a method of a column gives; `None` where that is not known. With `words` it is a method of each word.

    >>> called(numpy.asarray(["a b", "c"], object), "split", (), {}, True).tolist()
    [['a', 'b'], ['c']]
    >>> called(numpy.asarray([3, 1, 3]), "value_counts", (), {}, False)
    {3: 2, 1: 1}
    """
    if words and hasattr(str, name):
        try:
            return column_of(getattr(str(entry), name)(*given, **options) for entry in found)
        except TypeError:  # which is called with what methods of words do not take (`regex`)
            return found
    if words and name == "len":
        return column_of(len(entry) for entry in found)
    if name in EACH and given:
        return _each(found, given[0])
    if name in COUNTED:
        kinds, counts = numpy.unique(found, return_counts=True)
        order = numpy.argsort(-counts, kind="stable")
        return {kind: int(count) for kind, count in zip(kinds[order].tolist(), counts[order])}
    if name == "unique":
        return found[numpy.sort(numpy.unique(found, return_index=True)[1])]
    if name == "drop" and given and found.dtype == object:  # of the names of columns
        gone = [given[0]] if isinstance(given[0], str) else list(given[0])
        return found[[entry not in gone for entry in found]]
    if name == "nunique":
        return numpy.asarray(len(numpy.unique(found)))
    return None


def _each(found: numpy.ndarray, function: Callable[[Any], Any] | dict[Any, Any]) -> numpy.ndarray | None:
    if isinstance(function, dict):
        return column_of(function.get(entry, 0) for entry in found.tolist())
    return column_of(function(entry) for entry in found.tolist()) if callable(function) else None


def joined(one: Any, other: Any) -> Any:
    """The sum of a column of lists and a list, which goes to each of them; `None` of anything else."""
    for column, rest, before in ((one, other, False), (other, one, True)):
        lists = isinstance(column, numpy.ndarray) and column.dtype == object and column.ndim == 1 and len(column)
        if lists and isinstance(column[0], list) and isinstance(rest, list):
            return column_of(rest + entry if before else entry + rest for entry in column)
    return None


def within(key: Any, count: int) -> Any:
    """An index into rows of which there would be more than were made up; all rows lie between two labels.

    >>> within(7, 5), within(slice("2019-01", "2019-06"), 5), within((slice(1, 2), "a"), 5)
    (2, slice(None, None, None), (slice(1, 2, None), 'a'))
    """
    if isinstance(key, tuple) and key:
        return within(key[0], count), *key[1:]
    if isinstance(key, slice):
        labels = (one for one in (key.start, key.stop) if one is not None and not hasattr(one, "__index__"))
        return slice(None) if any(True for _ in labels) else key
    return key % count if isinstance(key, (int, numpy.integer)) and count and key >= count else key


def ranked(found: Any, axes: int) -> Any:
    """An array of at least so many axes: of three a picture."""
    if numpy.ndim(found) >= axes:
        return found
    shape = (*(4,) * (axes - 3), *(SIDE, SIDE, CHANNELS)[-axes:])
    return numpy.random.RandomState(0).randint(0, 256, shape).astype("uint8")


def folded(found: Any, given: tuple[Any, ...], folds: Collection[int]) -> Any:
    """An array whose rows are as wide as the script folds them: of as many rows as fill the other axes.
    `folds` are the widths that scripts fold rows into."""
    sizes = given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
    if not all(isinstance(size, int) for size in sizes) or tuple(sizes).count(-1) != 1 or numpy.ndim(found) == 0:
        return found
    known = folds if numpy.ndim(found) > 1 else {1}
    widths = [math.prod(sizes[at:]) for at in range(1, len(sizes) + 1) if -1 not in sizes[at:]]
    width = next((one for one in widths if one in known), widths[0] if widths else 1)
    block = math.prod(size for size in sizes if size != -1) // width
    count = max(len(found) // block, 1) * block if width and block else len(found)
    made = numpy.random.RandomState(0).rand(count, width) if numpy.ndim(found) > 1 else numpy.resize(found, count)
    return made.reshape(sizes)
