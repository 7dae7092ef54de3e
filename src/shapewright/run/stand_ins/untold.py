"""Unknown things of which it is not known how many axes they have: what a file or a library would have given as a
whole, by a name or as an attribute, and not what the script takes out of that or computes from it."""

from __future__ import annotations

import os
from typing import Any

import numpy

from .columns import OF_ROWS, OF_TABLES
from .context import current
from .files.contents import kinds_of, rows_of
from .tables import RANKED, Row, Table
from .tried import tried
from .unknown import ARRAYS, UnknownThing, is_file

NUMBERS = frozenset("biuf")


def of_thing(thing: UnknownThing, found: Any) -> Any:
    """What stands for something unknown, as is tried of it where nothing tells how many axes it has."""
    if "_named" not in thing.__dict__:
        thing.__dict__["_named"] = _name(thing, found)
    name = thing.__dict__["_named"]
    if not name:
        return found
    whole = found.array() if isinstance(found, Table) else found
    made = tried(current(), name, whole)
    return found if made is whole else made


def part_of(thing: UnknownThing, at: int) -> Any:
    """One of the parts that lie side by side in a file, where it has a size of its own (`Guess.own`) or holds integers
    (`Guess.whole`); `None` where it is as the file is."""
    if not is_file(thing):
        return None
    context, name = current(), f"{thing._module}[{at}]"
    own, whole = context.of_file(name), name in context.guess.whole
    if own == context.guess and not whole:
        return None
    chance = numpy.random.RandomState(at)
    shape = (rows_of(own), *context.row(own))
    return chance.randint(0, kinds_of(own), shape) if whole else chance.rand(*shape)


def _name(thing: UnknownThing, found: Any) -> str:
    """What to call something whose number of axes is not known; empty where it follows from that of something else."""
    if thing._module in RANKED or isinstance(found, Row) or not _is_made(thing):
        return ""
    if isinstance(found, Table):
        return "" if any(isinstance(name, str) for name in found.columns) else _path(thing)
    return _path(thing) if numpy.asarray(found).dtype.kind in NUMBERS else ""


def _is_made(thing: UnknownThing) -> bool:
    how = thing._how
    if how.kind == "call":
        method = isinstance(how.of, UnknownThing) and isinstance(how.of._how.of, UnknownThing)
        sized = isinstance(how.options.get("shape", how.options.get("size")), tuple)
        return not sized and not (method and (how.name in ARRAYS or hasattr(numpy.ndarray, how.name)))
    if how.kind == "attribute":
        return how.name not in OF_ROWS and how.name not in OF_TABLES
    return how.kind == "part" or (how.kind == "item" and isinstance(how.given[0], str))


def _path(thing: UnknownThing) -> str:
    """Where something lies in what a file or a library would have given."""
    parts = []
    while isinstance(thing, UnknownThing):
        how = thing._how
        given = next((part for part in how.given[:1] if isinstance(part, (str, int, os.PathLike))), None)
        parts.append(f"{how.name}({given or ''})" if how.kind == "call" else how.name if given is None else str(given))
        module, thing = thing._module, how.of
    return ".".join([module, *reversed(parts)])
