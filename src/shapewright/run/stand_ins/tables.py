"""Tables that stand for what a library that is not installed would have read: columns of one length."""

from __future__ import annotations

import csv
import os
from typing import Any

import numpy

from ..ending.staying import TABLES as LIBRARIES
from .columns import column_of
from .context import Context
from .files.contents import column
from .sets.toy import SETS
from .unknown import UnknownThing, of_data

TABLES = "pandas"
# what of a column is one number, and NumPy's name of it
MEASURED = {name: name for name in ("mean", "sum", "std", "var", "median", "max", "min", "any", "all")}
RANKED = frozenset({TABLES, "sklearn"})  # of their tables and columns it is known how many axes they have


class Table:
    """Columns of one length; one that is asked for and lacking is made up. Its rows are of the shape `row` where they
    are no list of numbers."""

    def __init__(self, columns: dict[Any, Any], context: Context, name: str = "", row: tuple[int, ...] = ()) -> None:
        self.columns, self.context, self.name, self.row = columns, context, name, row
        self.chosen = False  # whether a script names all of them
        self.due: set[Any] = set()  # names of columns that a script has put into it
        self.count = len(next(iter(columns.values())))

    def __len__(self) -> int:
        return self.count

    def column(self, name: Any) -> numpy.ndarray:
        """The column of a name."""
        if name not in self.columns:
            values = column(str(name), self.context.usage, self.context.guess, self.count)
            return numpy.asarray(values, object if isinstance(values[0], str) else None)
        return self.columns[name]

    def labels(self) -> numpy.ndarray:
        """What goes with the rows: classes, or numbers where a regression is made."""
        classes = SETS.get(self.name, (0, 0, 2))[2]
        if not classes or self.context.guess.floats:
            return numpy.random.RandomState(1).rand(self.count)
        return (numpy.arange(self.count) * 7 + numpy.arange(self.count) // 3) % classes + self.context.guess.first

    def array(self) -> numpy.ndarray:
        """All columns of numbers, side by side."""
        if self.row:
            return numpy.random.RandomState(0).rand(self.count, *self.row)
        words = [values for values in self.columns.values() if values.dtype.kind in "OU"]
        if words and (self.chosen or len(words) == len(self.columns)):  # they are of use as they are
            return numpy.stack([values.astype(object) for values in self.columns.values()], axis=1)
        return numpy.stack([*self.numbers().values()], axis=1)

    def put(self, columns: dict[Any, Any]) -> None:
        """Take in the columns that a script has put into it."""
        for name, value in columns.items():
            values = numpy.asarray(value)
            if not values.ndim or (values.ndim == 1 and len(values)):  # one for all, or rows that were made up apart
                values = values if len(numpy.atleast_1d(values)) == self.count else numpy.resize(values, self.count)
            if values.shape[:1] == (self.count,):
                self.columns[name] = values

    def like(self, columns: dict[Any, Any]) -> Table:
        """A table of these columns beside which others can be made up as they are here."""
        made = Table(dict(columns) or {0: numpy.arange(self.count)}, self.context, self.name, self.row)
        made.chosen = self.chosen
        return made

    def numbers(self) -> dict[Any, numpy.ndarray]:
        """Its columns of numbers."""
        found = {name: values for name, values in self.columns.items() if values.dtype.kind not in "OU"}
        return found or {0: numpy.arange(self.count)}

    def taken(self, rows: object) -> Table | Row:
        """Some of its rows, or one."""
        if isinstance(rows, (int, numpy.integer)):
            return Row(self, int(rows))
        return self.like({name: values[rows] for name, values in self.columns.items()})


class Row:
    """One row of a table."""

    def __init__(self, table: Table, at: int) -> None:
        self.table, self.at = table, at

    def column(self, name: object) -> Any:
        """The entry of a column."""
        return self.table.column(name)[self.at]

    def array(self) -> numpy.ndarray:
        """All of its numbers."""
        return self.table.array()[self.at]


def tabular(module: str) -> bool:
    """Whether a library is one of tables."""
    return module in LIBRARIES


def listed(rows: Any, options: dict[str, Any], context: Context) -> Any:
    """The table of a list of rows, or the column of a list; `None` where it is another list."""
    if not isinstance(rows, (list, tuple)) or not rows:
        return None
    if all(isinstance(row, dict) for row in rows):
        names = [name for name in rows[0] if all(name in row for row in rows)]
        columns = {name: [row[name] for row in rows] for name in names}
    elif all(isinstance(row, (list, tuple)) and len(row) == len(rows[0]) for row in rows):
        names = options.get("columns") or [*range(len(rows[0]))]
        columns = dict(zip(names, zip(*rows)))
    else:
        return column_of(rows) if all(isinstance(one, (int, float, str, numpy.generic)) for one in rows) else None
    return Table({name: column_of(values) for name, values in columns.items()}, context) if columns else None


def read(path: Any, options: dict[str, Any]) -> dict[Any, numpy.ndarray]:
    """The columns of a file of values apart by a mark."""
    if not os.fspath(path).endswith((".csv", ".tsv", ".txt", ".data")):
        return {}
    mark = options.get("sep", options.get("delimiter")) or ("\t" if os.fspath(path).endswith(".tsv") else ",")
    if len(mark) != 1:
        return {}
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter=mark) if row]
    names = rows.pop(0) if options.get("header", 0) is not None and "names" not in options else options.get("names")
    if not rows or (names is not None and len(names) != len(rows[0])):
        return {}
    columns = zip(*(row for row in rows if len(row) == len(rows[0])))
    return {name: _typed(values) for name, values in zip(names or range(len(rows[0])), columns)}


def _typed(values: tuple[str, ...]) -> numpy.ndarray:
    """A column of numbers where all are, of words else; what is missing among numbers is 0."""
    for kind in (int, float):
        try:
            return numpy.asarray([kind(value or 0) for value in values])
        except ValueError:
            continue
    return numpy.asarray(values, object)


def owner_of(how: Any) -> UnknownThing | None:
    """The data that a method was called of; `None` where it was called of none."""
    called = getattr(how.of, "_how", how)
    owner = called.of if called.kind == "attribute" else None
    return owner if isinstance(owner, UnknownThing) and of_data(owner) else None


def given_to(how: Any) -> Any:
    """The first array, tensor or made-up data among the arguments of a call, `None` where none is given."""
    for value in (*how.given, *how.options.values()):
        if isinstance(value, numpy.ndarray) and value.ndim:
            return value
        if isinstance(value, UnknownThing) and of_data(value) and not isinstance(value, type):
            return value
        if hasattr(value, "detach"):
            return value.detach().cpu().numpy()
    return None
