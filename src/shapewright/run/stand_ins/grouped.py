"""Tables that are divided by the values of a column: gone through group by group, and as long as there are groups.
Nothing else of groups is known: what is measured of each is as the rows are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .columns import column_of
from .tables import Table

SPREAD = frozenset({"groupby", "rolling", "ewm", "expanding", "resample"})  # of whose result each row has a measure
MOST = 24  # groups


class Groups(Table):
    """The rows of a table, and which of them belong together; `only` the column that was taken of it."""

    def __init__(self, table: Table, names: list[Any], only: Any = None) -> None:
        super().__init__(table.columns, table.context, table.name, table.row)
        self.names, self.only, self.table = names, only, table

    def groups(self) -> list[tuple[Any, Any]]:
        """Each key with its rows: a table, or the column that was taken."""
        keys = [self.table.column(name) for name in self.names] or [numpy.arange(self.count)]
        marks = numpy.asarray(["\0".join(map(str, row)) for row in zip(*keys)])
        found = []
        for mark in dict.fromkeys(marks.tolist()):
            at = numpy.flatnonzero(marks == mark)
            key = tuple(values[at[0]] for values in keys)
            plain = [one.item() if isinstance(one, numpy.generic) else one for one in key]
            rows = self.table.taken(at) if self.only is None else self.table.column(self.only)[at]
            found.append((plain[0] if len(plain) == 1 else tuple(plain), rows))
        return found[:MOST]

    def each(self, function: Callable[[Any], Any], given: Callable[[Any], Any]) -> Any:
        """What a function gives of each group, as `given` gives it the group."""
        return column_of(function(given(rows)) for _, rows in self.groups())


def grouped(table: Table, given: tuple[Any, ...], options: dict[str, Any]) -> Groups:
    """A table in groups by the columns that a call names."""
    by = options.get("by", given[0] if given else ())
    names = [by] if isinstance(by, (str, int)) else [name for name in by or () if isinstance(name, (str, int))]
    return Groups(table, names)
