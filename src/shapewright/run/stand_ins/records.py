"""Entries of a file that is not there which hold arrays by names, as where episodes or recordings were saved in a list:
each has as many rows as it is long, and what a script puts into it is kept."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy

from .context import current, user_frame
from .tried import tried

LONGEST = 61  # rows of a record; none has less than two thirds of them


class Record(dict):
    """One of them: an array is made up when its name is asked for, of single precision, as wide as is guessed for this
    name of this file (`Guess.own`)."""

    def __init__(self, file: str, at: int) -> None:
        super().__init__()
        self._file, self._at = file, at

    def __missing__(self, name: Any) -> Any:
        if not isinstance(name, str):
            raise KeyError(name)
        context = current()
        shape = context.row(context.of_file(place := f"{self._file}[{name}]"))
        chance = numpy.random.RandomState((zlib.crc32(name.encode()) + self._at) % 2**32)
        rows = LONGEST - 7 * self._at % (LONGEST // 3)
        self[name] = tried(context, place, chance.rand(rows, *shape).astype(numpy.float32))
        return self[name]

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        frame = user_frame()
        return iter([*dict.fromkeys((*super().__iter__(), *(current().asked_by(frame) if frame is not None else ())))])

    def keys(self) -> Any:
        return list(self)

    def items(self) -> Any:
        return [(name, self[name]) for name in self]

    def values(self) -> Any:
        return [self[name] for name in self]


def records(thing: Any) -> list[Record] | None:
    """All that a file held, as records; `None` where it is not guessed to hold such."""
    context = current()
    if context is None or not context.guess.records:
        return None
    if "_records" not in thing.__dict__:
        from .files.contents import rows_of

        count = rows_of(context.guess)
        thing.__dict__["_records"] = [Record(thing._module, at) for at in range(count)]
    return thing.__dict__["_records"]
