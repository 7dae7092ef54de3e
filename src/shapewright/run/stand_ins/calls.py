"""What calls of a library that is not installed come to (`forms`): methods of made-up tables and columns, and what it
would have read, drawn or made. What flows in flows out; what becomes of a table by a method that is not known here is a
table of its rows."""

from __future__ import annotations

import os
from typing import Any

import numpy

from .chosen import COMPARES, JOINS, flags, split
from .columns import EACH, called, column_of, folded, joined, ranked
from .context import current
from .files.contents import column, rows_of, rows_of_numbers
from .files.frames import READ
from .files.usage import Usage
from .grouped import SPREAD, Groups, grouped
from .how import How
from .sets.toy import SETS
from .tables import MEASURED, Row, Table, given_to, listed, owner_of, read, tabular
from .unknown import ARRAYS, HELD, UnknownThing, forms, thing_of

MOST = 2000
WORDS = "text"  # the name of a column that holds some
KEEPING = frozenset({"astype", "transform"})  # methods of a table that give one, and of an array an array


def stays(thing: UnknownThing) -> bool:
    """Whether a method of a table or a column gives one again, though that of an array is called so too."""
    return tabular(thing._module) and thing._how.name in KEEPING


def call(thing: UnknownThing) -> Any:
    """What a call gives."""
    how = thing._how
    data = owner_of(how)
    shape = how.options.get("shape", how.options.get("size"))
    if isinstance(shape, tuple) and shape and all(isinstance(size, (int, numpy.integer)) for size in shape):
        forms()._invent(thing)
        return numpy.random.RandomState(0).rand(*shape)
    if how.given and not how.options and all(isinstance(part, float) for part in how.given):
        return numpy.float64(how.given[0])  # what a function makes of a number is one
    given = given_to(how)
    if given is not None and (data is None or forms()._is_bare(data)):
        return _handed(thing, given)
    if data is None:
        return _table(thing)
    found = forms()._value(data)
    if given is not None and numpy.ndim(other := forms()._plain(given)) > numpy.ndim(forms().array(data)):
        return other
    if isinstance(found, dict):
        return found
    if isinstance(found, Groups):
        return _of_groups(thing, found)
    if isinstance(found, Table):
        made = _of_table(thing, data, found)
        if made is not found:
            return made
        found = found.array()
    found = found.array() if isinstance(found, (Row, Table)) else found
    if how.name == "to_numpy":
        kind = how.options.get("dtype", how.given[0] if how.given else None)
        return found if kind is None else found.astype(kind)
    if how.name in ("tolist", "to_list"):
        return numpy.asarray(found).tolist()
    if isinstance(found, numpy.ndarray) and found.ndim == 1:
        words = isinstance(how.of._how.of, UnknownThing) and how.of._how.of._how.name == "str"
        if (made := called(found, how.name, how.given, how.options, words)) is not None:
            return made
        if how.name in MEASURED and spread(data):  # of each row's window or group
            return found
    if how.name == "transpose":
        found = ranked(found, len(how.given[0]) if how.given and isinstance(how.given[0], tuple) else len(how.given))
    try:
        return getattr(found, how.name)(*how.given, **how.options)
    except (AttributeError, TypeError, ValueError):
        return folded(found, how.given, current().usage.folds) if how.name == "reshape" else found


def spread(thing: UnknownThing) -> bool:
    """Whether something is measured row by row: of windows or groups of rows."""
    while isinstance(thing, UnknownThing) and thing._how.kind in ("call", "item", "attribute"):
        if thing._how.kind == "call" and thing._how.name in SPREAD:
            return True
        owner = owner_of(thing._how) if thing._how.kind == "call" else thing._how.of
        if owner is None or (thing._how.kind == "call" and thing._how.name in MEASURED):
            return False
        thing = owner
    return False


def computed(thing: UnknownThing) -> Any:
    """What an operator gives: of a table column by column, of conditions rows on both sides."""
    how = thing._how
    whole = [forms()._whole(part) if isinstance(part, UnknownThing) else part for part in how.given]
    table = next((part for part in whole if isinstance(part, Table)), None)
    if table is not None and tabular(thing._module):
        columns = {
            name: _reckoned(how, [_column(part, name) for part in whole])
            for name, values in table.columns.items()
            if values.dtype.kind not in "OU"
        }
        return table.like({name: values for name, values in columns.items() if numpy.shape(values) == (table.count,)})
    return _reckoned(how, [forms()._plain(part) for part in how.given], tabular(thing._module))


def _column(part: Any, name: Any) -> Any:
    if isinstance(part, (Table, Row)):
        return part.column(name)
    return part if numpy.ndim(part) < 2 else numpy.asarray(part)[:, 0]


def _reckoned(how: How, given: list[Any], named: bool = True) -> Any:
    if how.name == "add" and (made := joined(*given)) is not None:
        return made
    given = [flags(part) for part in given] if named and how.name in JOINS else given
    try:
        found = how.of(*given)
    except (TypeError, ValueError):  # two that were made up apart
        found = max(given, key=numpy.ndim)
        found = flags(found) if named and how.name in COMPARES else found
    return split(found, how.name) if named else found


def _handed(thing: UnknownThing, given: Any) -> Any:
    """What a function makes of data that it is given: data of that form."""
    forms()._invent(thing)
    how = thing._how
    if isinstance(given, UnknownThing) and isinstance(table := forms()._value(given), Table):
        return table.like(table.columns)
    found = forms()._plain(given)
    names = how.options.get("columns", how.given[1] if len(how.given) > 1 else None)
    if tabular(thing._module) and numpy.ndim(found) == 2:
        known = [*names] if isinstance(names, (list, tuple, numpy.ndarray)) else []
        known = known if len(known) == numpy.shape(found)[1] else [*range(numpy.shape(found)[1])]
        return Table({name: found[:, at] for at, name in enumerate(known)}, current())
    words = isinstance(found, numpy.ndarray) and found.dtype.kind in "OU" and how.given and how.given[0] is given
    return numpy.unique(found.astype(str), return_inverse=True)[1] if words else found


def _of_groups(thing: UnknownThing, found: Groups) -> Any:
    """What a method of groups gives: of a function each group's, else the rows or the column as they are."""
    how = thing._how
    function = how.given[0] if how.given else None
    if how.name in (*EACH, "agg", "aggregate") and callable(function):
        return found.each(function, _group if function not in (list, set, tuple) else list)
    return found.table.column(found.only) if found.only is not None else found.like(found.columns)


def _group(rows: Any) -> UnknownThing:
    made = thing_of("pandas", How("call", name="get_group"))
    made.__dict__["_value"] = rows
    return made


def _of_table(thing: UnknownThing, data: UnknownThing, found: Table) -> Any:
    """What a method of a table gives; the table itself where it is one of its numbers as an array."""
    how, known = thing._how, tabular(thing._module)
    first = how.given[0] if how.given else None
    if how.name in EACH and callable(first) and how.options.get("axis") in (1, "columns"):
        return column_of(first(data._row(at)) for at in range(len(found)))
    if how.name == "drop":
        gone = how.options.get("columns", first if how.given else ())
        gone = [*gone] if isinstance(gone, (list, tuple, numpy.ndarray, UnknownThing)) else [gone]
        left = {name: values for name, values in found.columns.items() if name not in gone}
        return found.like(left or found.columns)
    if known and how.name == "pop" and isinstance(first, (str, int)):
        values = found.column(first)
        found.columns.pop(first, None)
        return values
    if known and how.name == "groupby":
        return grouped(found, how.given, how.options)
    if known and how.name in MEASURED and not spread(data):
        numbers = found.numbers()
        if how.options.get("axis", first) in (1, "columns"):
            return getattr(numpy, MEASURED[how.name])(numpy.stack([*numbers.values()], axis=1), axis=1)
        measured = {name: numpy.asarray([getattr(numpy, MEASURED[how.name])(one)]) for name, one in numbers.items()}
        return Row(found.like(measured), 0)
    if known and how.name == "astype":
        kind = first if not isinstance(first, dict) else None
        made = {}
        for name, values in found.columns.items():
            try:
                made[name] = values if kind is None else values.astype(kind)
            except (TypeError, ValueError):
                made[name] = values
        return found.like(made)
    if how.name in ARRAYS and how.name not in (KEEPING if known else ()):
        return found
    forms()._invent(thing)  # what becomes of a table is not known
    return found.like(found.columns)


def _table(thing: UnknownThing) -> Any:
    """What a library would have read, drawn or made."""
    how, context = thing._how, current()
    path = next((part for part in how.given if isinstance(part, (str, os.PathLike)) and os.path.isfile(part)), None)
    if path is not None and (columns := read(path, how.options)):
        return Table(columns, context)
    if how.given and isinstance(how.given[0], dict) and how.given[0]:
        kept = {name: numpy.asarray(forms()._plain(values)) for name, values in how.given[0].items()}
        if len({len(values) if values.ndim else 0 for values in kept.values()}) == 1:
            return Table(kept, context)
    if tabular(thing._module) and how.given and (made := listed(how.given[0], how.options, context)) is not None:
        return made
    forms()._invent(thing)
    told: Usage = context.usage
    file = next((part for part in how.given[:1] if isinstance(part, (str, os.PathLike))), how.name)
    guess = context.of_file(thing._module if thing._module in HELD else file)
    rows, width, _ = SETS.get(how.name, (rows_of(guess), 0, 0))
    asked = how.options.get("n_samples", next((part for part in how.given if type(part) is int and part > 1), rows))
    asked = max(asked, told.reach * 5 // 4) if asked is rows else asked  # so that something is left after a cut
    rows = min(asked, MOST) if isinstance(asked, int) else sum(asked) if isinstance(asked, (list, tuple)) else rows
    width = how.options.get("n_features", width)
    names = how.options.get("names", how.options.get("usecols"))
    if isinstance(names, (list, tuple)) and names and all(isinstance(name, str) for name in names):
        made = {name: column(name, told, guess, rows) for name in names}
        chosen = Table({name: column_of(values) for name, values in made.items()}, context)
        chosen.chosen = "usecols" in how.options
        return chosen
    if how.name in READ:
        columns = rows_of_numbers(told, guess, rows)
        if guess.texts and tabular(thing._module):  # where numbers were of no use all entries are words
            columns = {name: column_of(column(WORDS, told, guess, rows, spoken=True)) for name in columns}
        return Table(columns, context)
    if context.width(guess) < 0:
        return numpy.arange(rows) % 2
    numbers = numpy.random.RandomState(0).rand(width or context.width(guess), rows)
    return Table(dict(enumerate(numbers)), context, how.name, context.row(guess) if guess.axes else ())
