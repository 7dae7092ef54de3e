"""The forms that an unknown thing takes where its use demands one: a table of numbers, a column, a row, a number.

A table that a library would have read or made has the columns that the script asks for, as made-up files have
(`files.contents`), or as many rows and columns as the call itself says. What flows in flows out: what a function makes
of an array has its shape. The first array that is made up is told and remembered (`Context.invented`): it is no
evidence.
"""

from __future__ import annotations

from typing import Any

import numpy

from .calls import call, computed
from .calls import stays as stays
from .chosen import rows
from .columns import OF_ROWS, OF_TABLES, ranked, within
from .context import current
from .files.contents import COUNTED, ROWS
from .grouped import Groups
from .sets.toy import SETS
from .tables import RANKED, Row, Table, given_to, owner_of, tabular
from .unknown import HELD, UnknownThing, of_data
from .untold import of_thing, part_of

MEASURES = frozenset({"shape", "values", "size", "ndim"})
TARGETS = ("target", "targets", "y", "Y", "y_train", "y_test", "labels", "label")
CODED = frozenset({"codes", "dt"})  # of words: numbers
COUNTS = ("n", "num", "count", "len", "size", "shape", "idx", "index", "class", "id")


def scalar(thing: UnknownThing) -> Any:
    """A number or a word of a table, as Python has them."""
    found = _value(thing)
    return found.item() if isinstance(found, numpy.generic) else found


def is_scalar(of: UnknownThing, key: Any) -> bool:
    """Whether an item of something is a number or a word alone: a place of a table, an entry of a row or column."""
    if isinstance(key, tuple) and len(key) == 2:
        return all(isinstance(part, (int, str)) for part in key) and _is_view(of)
    if isinstance(key, str):
        return _is_row(of)
    return isinstance(key, (int, numpy.integer)) and not isinstance(key, bool) and is_flat(of)


def array(thing: UnknownThing) -> Any:
    """The numbers or words that stand for something, made up where nothing gave them."""
    found = found.array() if isinstance(found := _value(thing), (Table, Row)) else found
    found = numpy.asarray(list(found.values())) if isinstance(found, dict) else found
    double = getattr(found, "dtype", None) == numpy.float64 and current().guess.single
    return found.astype(numpy.float32) if double else found


def count(thing: UnknownThing) -> int:
    """How many rows, entries or groups something has."""
    return len(found.groups()) if isinstance(found := _value(thing), Groups) else len(thing.__array__())


def pairs(thing: UnknownThing) -> list[tuple[Any, Any]]:
    """What goes through something by pairs of a name, or a place, and what is there."""
    if isinstance(found := _value(thing), dict):
        return list(found.items())
    return [(name, thing[name]) for name in found.columns] if isinstance(found, Table) else [*enumerate(array(thing))]


def number(thing: UnknownThing) -> Any:
    """One number: of an array its own, or how many there are where a count is meant; a measure is a half. A count that
    nothing tells is remembered (`Context.told_count`): what fails of it is no evidence."""
    how = thing._how
    if how.kind == "computed":
        return how.of(*(number(part) if isinstance(part, UnknownThing) else part for part in how.given))
    if how.kind in ("item", "part") and isinstance(how.of, UnknownThing) and how.of._how.name == "shape":
        return numpy.asarray(_value(how.of))[how.given[0]]
    if how.kind in ("item", "part", "row") and numpy.ndim(found := array(thing)) == 0:
        return found
    owner = owner_of(how) if how.kind == "call" else None
    name = how.name.lower()
    if owner is not None and not thing._fed and not given_to(how):
        if (
            is_ranked(thing)
            and numpy.ndim(found := array(thing)) == 0
            and isinstance(found, (numpy.ndarray, numpy.generic))
        ):
            return found
        found = array(owner)
        if isinstance(found, numpy.ndarray) and found.dtype != object:
            if name in ("max", "min", "mean", "sum", "std", "var", "median", "item"):
                return getattr(numpy, name, numpy.max)(found)
            return len(found)
    return current().counts(thing._module) if _counts(name) else 0.5


def attribute(of: UnknownThing, name: str, thing: UnknownThing) -> Any:
    """An attribute that stays unknown, or the number, the entry of a row or the array that it is."""
    if is_count(of, name):
        return int(number(thing))
    entry = of._how.kind in ("row", "item", "part") and is_ranked(of) and name not in OF_ROWS
    if entry and isinstance(_value(of), Row):
        return scalar(thing)
    return array(thing) if name in MEASURES else thing


def is_count(of: UnknownThing, name: str) -> bool:
    """Whether an attribute of what a library or a file gave is how many there are of something."""
    return _counts(name) and "_" in name and of._how.kind == "call" and not is_ranked(of)


def is_ranked(thing: UnknownThing) -> bool:
    """Whether it is known of a library's tables and columns how many axes they have."""
    return thing._module in RANKED or tabular(thing._module)


def side_by_side(value: Any, names: list[Any]) -> list[Any]:
    """The columns that are put into a table at once: those of a table by their names, else by their places."""
    if isinstance(value, UnknownThing) and is_table(value):
        return [_value(value).column(name) for name in names]
    found = numpy.asarray(_plain(value))
    return (
        [found[:, at] for at in range(len(names))] if numpy.shape(found)[1:] == (len(names),) else [value] * len(names)
    )


def is_table(thing: UnknownThing) -> bool:
    """Whether something is a table whose columns have names."""
    if not isinstance(found := _value(thing), Table):
        return False
    return tabular(thing._module) or any(isinstance(name, str) for name in found.columns)


def is_kept(thing: UnknownThing) -> bool:
    """Whether some rows of something are again a table or a column, with all that these have."""
    return tabular(thing._module) or is_table(thing)


def is_a(thing: UnknownThing, kind: Any) -> bool:
    """Whether something stands for what a class of its library is called: a table, or a column of one."""
    if not tabular(thing._module) or kind._module != thing._module or not of_data(thing):
        return False
    found = _value(thing)
    if kind.__name__ == "DataFrame":
        return isinstance(found, Table)
    return kind.__name__ == "Series" and isinstance(found, numpy.ndarray) and found.ndim == 1


def is_column(of: UnknownThing, value: Any) -> bool:
    """Whether what a script put into something is had as a column of it, with all that columns have."""
    return tabular(of._module) and not isinstance(value, UnknownThing) and isinstance(_value(of), Table)


def names_columns(thing: UnknownThing, name: str) -> bool:
    """Whether an attribute that a script sets is a column of a table."""
    return tabular(thing._module) and name not in OF_TABLES


def _counts(name: str) -> bool:
    return any(mark in name.split("_") for mark in COUNTS) or name.startswith(("n_", "nu"))


def _value(thing: UnknownThing) -> Any:
    """What stands for something, with as many axes as are tried of it."""
    return of_thing(thing, _whole(thing))


def _whole(thing: UnknownThing) -> Any:
    if "_value" not in thing.__dict__:
        thing.__dict__["_value"] = _made(thing)
    found = thing.__dict__["_value"]
    if isinstance(found, Table) and (kept := thing.__dict__.get("_kept")):
        for name, values in kept.items():
            if name not in found.due:  # it may be computed from the table itself
                found.due.add(name)
                found.put({name: _plain(values)})
    return found


def put(thing: UnknownThing, name: Any, values: object) -> None:
    """Put another column in the place of one that was put into a table."""
    if isinstance(found := _value(thing), Table):
        found.put({name: _plain(values)})


def _made(thing: UnknownThing) -> Any:
    how, of = thing._how, thing._how.of
    if "_kept" in thing.__dict__ and how.kind == "call" and not how.given and not given_to(how) and not owner_of(how):
        kept = {key: numpy.asarray(_plain(value)) for key, value in thing._kept.items()}
        lengths = {len(value) for value in kept.values() if value.ndim}
        if len(lengths) == 1:
            return Table({key: value for key, value in kept.items() if value.ndim}, current())
    if how.kind == "attribute":
        return _attribute((_value if how.name in OF_ROWS else _whole)(of), how.name)
    if how.kind == "item":
        return _item(of, how.given[0])
    if how.kind == "row":
        found = _value(of)
        if isinstance(found, Groups):
            return found.groups()[how.given[0]][1]
        return found.taken(how.given[0]) if isinstance(found, Table) else array(of)[how.given[0]]
    if how.kind == "part":
        return _part(of, *how.given)
    if how.kind == "computed":
        _invent(thing)
        return computed(thing)
    return call(thing)


def _attribute(found: Any, name: str) -> Any:
    if isinstance(found, Row):
        found = found.array() if name in OF_ROWS else found.column(name)
    if isinstance(found, dict) and name in ("index", "values"):
        return numpy.asarray([*found.values()] if name == "values" else [*found])
    if name in TARGETS and isinstance(found, Table):
        return found.labels()
    if name in CODED and getattr(getattr(found, "dtype", None), "kind", "") == "O":
        return numpy.unique(found.astype(str), return_inverse=True)[1]
    if name in ("columns", "feature_names") and isinstance(found, Table):
        return numpy.asarray(list(found.columns), object)
    if isinstance(found, Table):
        told = found.context.usage
        if name == "index" and name not in told.named:
            return numpy.arange(found.count)
        if name not in OF_TABLES or name in (*found.columns, *told.keys, *told.named):
            return found.column(name)
        found = found.array() if name in ("shape", "T", "values", "dtype", "ndim", "size") else found
    return (
        getattr(found, name) if isinstance(found, numpy.ndarray) and name in ("shape", "T", "ndim", "size") else found
    )


def _item(of: UnknownThing, key: Any) -> Any:
    if _is_pair(of) and key in (0, 1):
        return _part(of, key, 2)
    found = _whole(of) if isinstance(key, str) else _value(of)
    if isinstance(found, dict) and key in found:
        return numpy.asarray(found[key])
    found = array(of) if isinstance(found, dict) else found
    key = _plain(key) if isinstance(key, UnknownThing) else key
    key = tuple(_plain(part) if isinstance(part, UnknownThing) else part for part in key) if type(key) is tuple else key
    key = within(key, len(found)) if isinstance(found, Table) or numpy.ndim(found) else key
    if is_ranked(of) and (isinstance(found, Table) or numpy.ndim(found) == 1):
        key = rows(key, len(found))
    if isinstance(found, Row):
        if isinstance(key, str):
            return found.column(key)
        found = found.array()
    if isinstance(found, Groups):
        return Groups(found.table, found.names, key if isinstance(key, str) else None)
    if isinstance(found, Table):
        if _is_pair(of) and isinstance(key, str):  # the parts of a toy set have names either way
            return found if key in OF_TABLES else _attribute(found, key)
        if isinstance(key, str):
            return found.labels() if key in TARGETS else _field(of, found, key)
        if isinstance(key, (list, numpy.ndarray)) and any(isinstance(one, str) for one in key):
            made = Table({name: found.column(name) for name in key}, found.context, found.name)
            made.chosen = found.chosen
            return made
        if isinstance(key, (slice, list, numpy.ndarray)):
            return found.taken(key)
        if isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, slice) for part in key):
            names = list(found.columns)[key[1]] or list(found.columns)
            return Table({one: found.columns[one][key[0]] for one in names}, found.context, found.name)
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], (str, list, numpy.ndarray)):
            chosen = key[0] if isinstance(key[0], (slice, int, list, numpy.ndarray)) else slice(None)
            name = key[1]
            if isinstance(name, str):
                return found.column(name)[chosen]
            if all(isinstance(one, str) for one in name):
                return Table({one: found.column(one)[chosen] for one in name}, found.context, found.name)
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], int) and key[1] < len(found.columns):
            return list(found.columns.values())[key[1]][key[0]]
        if isinstance(key, int):
            return found.taken(key)
        found = found.array()
    if isinstance(key, str):
        return found
    return ranked(found, len(key) - sum(part in (None, Ellipsis) for part in key) if isinstance(key, tuple) else 1)[key]


def _field(of: UnknownThing, found: Table, key: str) -> Any:
    """What a table has by a name: a column. Of a library whose tables are not known it may be rows of their own, as
    wide as the guess says."""
    if key.isdigit() and not is_ranked(of):  # one of as many entries as there are rows
        return numpy.random.RandomState(int(key) % ROWS).rand(*found.context.row(found.context.guess))
    values = found.column(key)
    if is_ranked(of) or values.dtype.kind in "OU" or any(mark in key.lower() for mark in COUNTED):
        return values
    return numpy.random.RandomState(len(key)).rand(found.count, *found.context.row(found.context.guess))


def _part(of: UnknownThing, at: int, count: int) -> Any:
    """One of the parts that something is taken apart into: data come before what goes with them."""
    how = of._how
    if how.kind == "part":  # `(x, y), (u, v) = …`
        return _part(how.of, at, count)
    if how.kind == "row" and count == 2:
        groups = whole.groups() if isinstance(whole := _value(how.of), Groups) else None
        return groups[how.given[0]][at] if groups else how.given[0] if at == 0 else _value(of)
    own, found = part_of(of, at), _whole(of)
    if own is None and isinstance(found, Table):
        return found.labels() if count > 1 and at == count - 1 else found
    return own if own is not None else found[at] if len(found) == count else found


def _plain(value: object) -> Any:
    return array(value) if isinstance(value, UnknownThing) else value


def _invent(thing: UnknownThing) -> None:
    context = current()
    if context is not None and thing._module not in HELD:
        context.invents(thing._module, is_ranked(thing))


def _is_bare(thing: UnknownThing) -> bool:
    """Whether something was made of nothing that is data: a scaler, an encoder."""
    return thing._how.kind == "call" and given_to(thing._how) is None


def _is_pair(thing: UnknownThing) -> bool:
    """Whether something is a toy set: a pair of data and labels."""
    return thing._how.kind == "call" and thing._how.name in SETS


def _is_view(thing: UnknownThing) -> bool:
    return thing._how.kind == "attribute" and thing._how.name in ("iloc", "loc", "iat", "at")


def _is_row(thing: UnknownThing) -> bool:
    how = thing._how
    if how.kind == "part":
        return how.of._how.kind == "row" and how.given[0] == 1
    return how.kind == "row" or (
        how.kind == "item"
        and isinstance(how.given[0], (int, numpy.integer))
        and not is_flat(how.of)
        and not _is_pair(how.of)
    )


def is_flat(thing: UnknownThing) -> bool:
    """Whether something is one row or one column."""
    how = thing._how
    if how.kind in ("call", "computed") and is_ranked(thing) and of_data(thing):
        return isinstance(found := _whole(thing), numpy.ndarray) and found.ndim == 1
    if how.kind == "attribute" and (_is_view(thing) or how.name == "columns" or how.name in TARGETS):
        return how.name in TARGETS or how.name == "columns" or is_flat(how.of)
    if how.kind == "attribute" and how.name not in OF_TABLES and is_ranked(thing) and of_data(thing):
        return isinstance(_value(how.of), Table)
    if how.kind == "item" and _is_pair(how.of):
        return how.given[0] == 1 or (isinstance(how.given[0], str) and how.given[0] not in OF_TABLES)
    if how.kind == "item" and isinstance(how.given[0], str):
        return not _is_row(how.of)
    if how.kind == "item" and isinstance(how.given[0], slice):
        return is_flat(how.of)
    if how.kind == "part":
        return how.given[0] == how.given[1] - 1 and how.of._how.kind != "row"
    return _is_row(thing)
