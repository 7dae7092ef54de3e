"""Tables that are not on this machine: `pandas.read_*`, `numpy.loadtxt`. Their columns are those that the script asks
for."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ...process.request import Guess
from ..checkpoints import stands_in
from ..context import Context
from .contents import column, kinds_of, paths, rows_of, rows_of_numbers
from .folders import suppose

READ = ("read_csv", "read_table", "read_excel", "read_parquet", "read_feather", "read_json")
INDEX = ("sort_values", "groupby", "drop", "set_index")


@contextlib.contextmanager
def tables(context: Context) -> Iterator[None]:
    """Answer for absent tables while the body runs."""
    import numpy

    kept = {name: getattr(numpy, name) for name in ("loadtxt", "genfromtxt")}
    for name, original in kept.items():
        setattr(numpy, name, _numbers(original, context))
    try:
        yield
    finally:
        for name, original in kept.items():
            setattr(numpy, name, original)


def _numbers(original: Any, context: Context) -> Any:
    @functools.wraps(original)
    def load(fname: Any, dtype: Any = float, *args: Any, **options: Any) -> Any:
        fname = getattr(fname, "stands_for", fname)
        if not absent(fname, sys._getframe(1)):
            return original(fname, dtype, *args, **options)
        import numpy

        context.made_up(fname)
        guess = context.of_file(fname)
        count = rows_of(guess)
        table = numpy.random.RandomState(0).rand(count, max(guess.width, 1))
        kind = numpy.dtype(dtype or float).kind
        if kind in "iu":  # numbers of rows: which follows on which
            table = (table * kinds_of(guess, count)).astype(dtype)
        else:
            table[:, -1] = numpy.arange(count) % 2 + context.guess.first
        if kind in "USO":  # the number of a row, numbers, and a name
            named = numpy.asarray([f"kind_{label:.0f}" for label in table[:, -1]])
            table = numpy.column_stack(
                [numpy.arange(count), numpy.round(table[:, 1:-1]).astype(int).astype(str), named]
            )
        asked = options.get("usecols")
        if asked is not None:
            table = table[:, [0] * len(numpy.atleast_1d(asked))].reshape(count, -1)
        return (table.T if options.get("unpack") else table).astype(dtype or float)

    return load


def absent(file: Any, frame: Any) -> bool:
    """Whether a script itself asks for a table that is not there, or for an address."""
    if isinstance(file, str) and "://" in file:
        file = os.path.join(os.sep, "no such address", file)
    return stands_in(file, frame)


def patched(module: ModuleType, context: Context) -> None:
    """Wrap the readers of pandas, and what looks for the folder that it writes into."""
    common = module.io.common
    check = getattr(common.check_parent_directory, "__wrapped__", common.check_parent_directory)

    @functools.wraps(check)
    def check_parent_directory(path: object) -> None:
        suppose(path, context)
        check(path)

    common.check_parent_directory = check_parent_directory
    for name in READ:
        original = getattr(getattr(module, name), "__wrapped__", getattr(module, name))
        setattr(module, name, _frame(original, module, context))


def _frame(original: Any, pandas: object, context: Context) -> Any:
    first = next(iter(inspect.signature(original).parameters))

    @functools.wraps(original)
    def read(*args: Any, **options: Any) -> Any:
        source = args[0] if args else options.get(first)
        source = getattr(source, "stands_for", source)
        if not context.active or not absent(source, sys._getframe(1)):
            return original(*args, **options)
        context.made_up(source)
        return _made(pandas, context, options, context.of_file(source))

    return read


def _made(pandas: Any, context: Context, options: dict[str, Any], guess: Guess) -> Any:
    """A table of the columns that the call names, or that the script asks for anywhere, or of numbers."""

    told = context.usage
    names = options.get("names")
    if names is None and not callable(options.get("usecols")):
        names = options.get("usecols")
    if names is None and options.get("header", 0) is not None:
        names = list(
            dict.fromkeys([*told.columns, *(key for key in told.keys if key in told.numbers | told.values.keys())])
        )
    if names is not None and len(names) and all(isinstance(name, str) for name in names):
        table = {name: column(name, told, guess, rows_of(guess)) for name in names}
        table |= {names[place]: paths(told, rows_of(guess)) for place in told.single & told.named if place < len(names)}
    else:
        table = rows_of_numbers(told, guess, rows_of(guess))
        if options.get("header", 0) is not None:
            table = {f"column_{name}": values for name, values in table.items()}

    class Asked(pandas.DataFrame):
        """A table that has whatever column it is asked for."""

        @property
        def _constructor(self) -> Any:
            return Asked

        def __getitem__(self, key: object) -> Any:
            for name in [key] if isinstance(key, str) else key if isinstance(key, list) else ():
                if isinstance(name, str) and name not in self.columns:
                    self._add(name)
            return super().__getitem__(key)

        def __getattr__(self, name: str) -> Any:
            try:
                return super().__getattr__(name)
            except AttributeError:
                if name.startswith("_") or name not in told.attributes:
                    raise
                return self[name]

        def __setattr__(self, name: str, value: Any) -> None:
            if name == "columns" and len(value) != self.shape[1]:
                for number in range(self.shape[1], len(value)):
                    self._add(f"column_{number}")
                for surplus in list(self.columns[len(value) :]):
                    del self[surplus]
            super().__setattr__(name, value)

        def _add(self, name: str) -> None:
            values = column(name, told, guess, max(len(self), 1))[: len(self)]
            pandas.DataFrame.__setitem__(self, name, values)

    def asking(name: str) -> Any:
        original = getattr(pandas.DataFrame, name)

        @functools.wraps(original)
        def call(self: Any, *args: Any, **options: Any) -> Any:
            for value in (*args[:1], options.get("by"), options.get("columns"), options.get("keys")):
                for part in value if isinstance(value, (list, tuple)) else [value]:
                    if isinstance(part, str) and part not in self.columns and part not in self.index.names:
                        self._add(part)
            return original(self, *args, **options)

        return call

    for name in INDEX:
        setattr(Asked, name, asking(name))
    frame = Asked(table)
    index = options.get("index_col")
    if index is not None and index is not False and (isinstance(index, str) or context.pictures):
        frame.index = pandas.Index([f"{number:06d}.{_ending(context)}" for number in range(len(frame))])
        if isinstance(index, str):
            frame.index.name = index
    return frame


def _ending(context: Context) -> str:
    return next((ending[1:] for ending in context.usage.endings), "jpg" if context.pictures else "txt")
