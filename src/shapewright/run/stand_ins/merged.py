"""Tables that stand for what a library that is not installed makes of others: side by side, one below the other, a
column of words as columns of bits. What is made up of them is told where it is read."""

from __future__ import annotations

from typing import Any

import numpy

from .context import current
from .how import How
from .tables import TABLES, Table
from .unknown import UnknownThing, forms, of_data, thing_of

BESIDE = (1, "columns")


def concat(objs: Any, *given: Any, axis: Any = 0, **_: Any) -> Any:
    """Tables or columns side by side, or one below the other."""
    parts = list(objs.values()) if isinstance(objs, dict) else list(objs)
    tables, axis = [_table(part) for part in parts], given[0] if given else axis
    known = [table for table in tables if table is not None]
    if len(known) < len(tables) or not known:
        return parts[0] if parts else objs
    if axis in BESIDE:
        columns = {name: values for table in known for name, values in table.columns.items()}
        return _thing({name: values for name, values in columns.items() if len(values) == known[0].count})
    names = list(dict.fromkeys(name for table in known for name in table.columns))
    return _thing({name: numpy.concatenate([table.column(name) for table in known]) for name in names})


def get_dummies(data: Any, prefix: Any = None, prefix_sep: str = "_", *given: Any, **options: Any) -> Any:
    """A column of bits for each of the words of a column, or of the columns of words of a table."""
    table = _table(data)
    if table is None:
        return data
    whole = isinstance(data, UnknownThing) and forms().is_table(data)
    words = [name for name, values in table.columns.items() if values.dtype.kind in "OU"]
    chosen = list(options.get("columns") or words) if whole else list(table.columns)
    columns: dict[Any, Any] = {name: values for name, values in table.columns.items() if whole and name not in chosen}
    for name in chosen:
        values = table.column(name)
        before = f"{prefix if isinstance(prefix, str) else name}{prefix_sep}" if whole or prefix else ""
        for kind in list(numpy.unique(values.astype(str)))[bool(options.get("drop_first")) :]:
            bits = values.astype(str) == kind
            columns[f"{before}{kind}"] = bits.astype(options["dtype"]) if options.get("dtype") else bits
    return _thing(columns) if columns else data


def put_back(owner: UnknownThing, changed: UnknownThing) -> None:
    """Let a table be what a method made of it that was called to change it in place."""
    if isinstance(found := forms()._whole(changed), Table):
        owner.__dict__["_value"] = found
        kept = owner.__dict__.get("_kept", {})
        for name in [name for name in kept if name not in found.columns]:
            del kept[name]


def _table(part: Any) -> Table | None:
    if not isinstance(part, UnknownThing) or not of_data(part):
        return None
    found = forms()._value(part)
    if isinstance(found, Table):
        return found
    name = next(iter(part._how.given), "0") if part._how.kind == "item" else part._how.name or "0"
    return Table({name: found}, current()) if isinstance(found, numpy.ndarray) and found.ndim == 1 else None


def _thing(columns: dict[Any, Any]) -> UnknownThing:
    made = thing_of(TABLES, How("call", name="concat"))
    made.__dict__["_value"] = Table(columns, current())
    return made
