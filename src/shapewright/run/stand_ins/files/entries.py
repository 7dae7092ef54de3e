"""What stands for the content of a document that is not on this machine (JSON, settings in YAML, Python's own words)
while a run observes it: an `Entry` takes whatever is asked of it and notes that, so that the next run reads a document
of names, lists, texts and numbers that answers it (`answering`)."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ..context import current
from ..expected import at_constant, compared, instruction
from ..expected import parts as parts_of
from ..standing import Standing
from .asked import HOLDING, KINDS, LISTED, MOST, Asked, named
from .observed import Piece

COMPUTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
WHOLE = frozenset({"add", "sub", "mul", "floordiv", "mod"})  # of which integers stay integers
ORDERED = ("lt", "le", "gt", "ge")


class Entry(Standing):
    """A part of a document: `_asked` is what is asked of it, `_row` which of several alike it is, `_place` where the
    document is read and `_name` what the part is called there; of Python's own words (`_spelt`) what is indexed is a
    pair."""

    def __init__(self, asked: Asked, row: int = 0, spelt: bool = False, place: str = "", name: str = "") -> None:
        self._asked, self._row, self._spelt, self._place, self._name = asked, row, spelt, place, name
        if (context := current()) is not None and not name:
            context.stands()
            known = next((file for file, root in context.asked.items() if root is asked), "")
            self._place = place or dict(context.read).get(known, "")

    def _entry(self, asked: Asked, row: int, name: str = "") -> Entry:
        return Entry(asked, row, self._spelt, self._place, name or self._name)

    def _each(self, at: int) -> Any:
        """One of those that are listed."""
        if self._spelt:
            self._asked.kind = "pair"
            return (self._row + at) % KINDS
        self._listed()
        return self._entry(self._asked.part(0), self._row * LISTED + at)

    def _row_of(self, count: int) -> list[Entry]:
        self._asked.kind, self._asked.count = "row", max(count, self._asked.count)
        return [self._entry(self._asked.part(at), self._row) for at in range(count)]

    def _listed(self) -> None:
        if self._asked.kind not in HOLDING or self._asked.kind == "row":
            self._asked.kind = "list"

    def _piece(self) -> Piece:
        """It as a text."""
        self._asked.text = True
        return Piece(named(self._row, 0), self._asked, self._row)

    def _number(self, kind: str = "float") -> Any:
        self._asked.wants(kind)
        return 1 + self._row % KINDS

    def _against(self, other: object) -> Any:
        return self._piece() if isinstance(other, str) else self._number(_kind(other))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            self._listed()
            return [*self][key] or [*self]
        if isinstance(key, str) and type(key) is not Piece and (self._asked.kind != "mapping" or len(self._asked.keys)):
            self._asked.kind = "record"
            return self._entry(self._asked.keys.setdefault(str(key), Asked()), self._row, str(key))
        if isinstance(key, (str, Entry)):
            self._asked.wants("mapping")
            if isinstance(key, Entry) and not key._asked.holds(self._asked):
                self._asked.parts.setdefault(2, key._asked)  # what else tells of it what it is
            return self._entry(self._asked.part(0), self._row + len(str(key)))
        at = operator.index(key)
        if instruction(sys._getframe(1)).startswith("CALL") and not self._asked.told:  # `torch.LongTensor([entry])`
            self._asked.wants("int")
            raise TypeError("a number is asked for")
        if at >= 0 and self._asked.kind in ("", "row") and not self._spelt and at_constant(sys._getframe(1)):
            return self._row_of(at + 1)[at]
        return self._each(at)

    def get(self, key: Any, default: Any = None) -> Any:
        """What it has by a name."""
        return self[key]

    def keys(self) -> Any:
        """Its names."""
        self._asked.wants("mapping")
        return [Piece(named(at, 0), self._asked.part(1), at) for at in range(LISTED)]

    def values(self) -> Any:
        """What it has by its names."""
        return [value for _, value in self.items()]

    def items(self) -> Any:
        """Its names, and what it has by them."""
        return [(name, self._entry(self._asked.part(0), at)) for at, name in enumerate(self.keys())]

    def __iter__(self) -> Iterator[Any]:
        if count := parts_of(sys._getframe(1)):
            if self._spelt:
                return iter([self._each(at) for at in range(count)])
            return iter(self._row_of(count))
        self._listed()
        return iter([self._entry(self._asked.part(0), self._row * LISTED + at) for at in range(LISTED)])

    def __len__(self) -> int:
        self._asked.count, self._asked.listed = max(compared(sys._getframe(1)) or 0, self._asked.count), True
        return self._asked.count or LISTED

    def __enter__(self) -> Entry:
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing is open."""

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str) and type(key) is not Piece and self._asked.kind in ("", "record"):
            self._asked.kind = "record"
            self._asked.keys.setdefault(key, Asked())
        return True

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (str, int, float)) and type(other) is not bool:
            told: list[Any] = self._asked.values
            if other not in told and len(told) < MOST:
                told.append(other)
            at = self._row % max(len(told), 2)  # of every second row another is asked for, if there is one
            return at < len(told) and bool(told[at] == other)
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        if not self._asked.kind:
            self._asked.wants("key")
        return hash(named(self._row, 0))

    def __int__(self) -> int:
        return int(self._number("int"))

    __index__ = __int__

    def __float__(self) -> float:
        return float(self._number())

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        import numpy

        given = sys._getframe(1).f_locals.get("args")  # to `numpy.array`, which is wrapped (`ages`)
        if isinstance(given, tuple) and given and given[0] is not self and not self._asked.told:
            return numpy.asarray(int(self), dtype)
        self._asked.kind = "array"
        context = current()
        shape = context.row(context.of_file(f"{self._place}[{self._name}]")) if context is not None else (LISTED,)
        return numpy.asarray(numpy.arange(math.prod(shape), dtype=float).reshape(shape), dtype)

    def _tensor(self) -> torch.Tensor:
        if self._asked.kind in ("", "list") and self._asked.listed and not self._asked.text:  # as long as it was said
            return torch.stack([torch.as_tensor(one._tensor()) for one in self])
        return torch.as_tensor(self.__array__() if self._asked.kind in HOLDING else int(self))

    def __fspath__(self) -> str:
        self._asked.wants("path")
        return str(named(self._row, 0))

    def __str__(self) -> str:
        return named(self._row, 0)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(str, name):
            raise AttributeError(name)
        return getattr(self._piece(), name)


def _kind(other: object) -> str:
    """The kind of a number that is reckoned with another."""
    whole = type(other) is int or (isinstance(other, Entry) and other._asked.kind in ("", "int"))
    return "int" if whole else "float"


def _computed(name: str, turned: bool) -> Callable[..., Any]:
    function = getattr(operator, name)

    def compute(self: Entry, other: Any) -> Any:
        if isinstance(other, str):
            if "." in (other[:1], other[-1:]) or "/" in other:
                self._asked.wants("path")
            self._asked.stem = self._asked.stem or (not turned and other.startswith("."))
            value: Any = self._piece()
        elif isinstance(other, list):
            value = [*self]
        else:
            value = self._number(_kind(other) if name in WHOLE else "float")
        return function(other, value) if turned else function(value, other)

    return compute


def _ordered(name: str) -> Callable[..., Any]:
    def compare(self: Entry, other: Any) -> bool:
        if isinstance(other, Entry):
            return bool(getattr(operator, name)(self._row, other._row))
        return bool(
            getattr(operator, name)(self._piece() if isinstance(other, str) else self._number(_kind(other)), other)
        )

    return compare


for _name in COMPUTED:
    setattr(Entry, f"__{_name}__", _computed(_name, False))
    setattr(Entry, f"__r{_name}__", _computed(_name, True))
for _name in ORDERED:
    setattr(Entry, f"__{_name}__", _ordered(_name))
