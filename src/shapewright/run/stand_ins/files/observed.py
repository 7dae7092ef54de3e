"""Texts that are not on this machine, handed to the script's own code as a `Stream` of `Piece`s: strings that note what
is done with them and take whatever is asked, so that one run tells of all parts of a text what they are to be.

Nothing that is read so counts: the next run reads plain text of the form that was told (`answering`).
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import csv
import functools
import io
import json
import sys
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any

from ..checkpoints import OWN
from ..context import is_user_file
from ..expected import compared, instruction, parts, subscripted
from .asked import KINDS, LONGEST, MOST, Asked, named

WIDEST = 2000  # parts of a line
SAME = (
    *("strip", "lstrip", "rstrip", "lower", "upper", "casefold", "replace", "removeprefix", "removesuffix"),
    *("title", "translate", "expandtabs", "capitalize"),
)


class Piece(str):
    """A piece of a text that notes what is asked of it; `_row` is the line that it is of."""

    _asked: Asked
    _row: int

    def __new__(cls, text: str, asked: Asked, row: int = 0) -> Piece:
        made = str.__new__(cls, text)
        made._asked, made._row = asked, row
        return made

    def _like(self, text: str) -> Piece:
        return Piece(text, self._asked, self._row)

    def _divided(self, found: list[str], mark: str | None, limit: int = -1) -> Fields:
        self._asked.mark = mark or ""
        by_line = mark == "\n"
        found = [] if len(found) == 1 and mark and not by_line else found  # it is not divided so yet
        own = self._asked.line if by_line else self._asked.part
        made = Fields(Piece(text, own(at), at if by_line else self._row) for at, text in enumerate(found))
        made.of, made.row = self._asked, self._row
        count = _taken_apart(sys._getframe(2)) or (limit + 1 if limit > 0 else 0)
        made.reach(max(count, self._asked.count, 1))
        if count and len(made) > count:
            del made[count:]
        return made

    def split(self, sep: str | None = None, maxsplit: int = -1) -> Any:  # type: ignore[override]
        """Its parts."""
        return self._divided(str.split(self, sep, maxsplit), sep, maxsplit)

    def rsplit(self, sep: str | None = None, maxsplit: int = -1) -> Any:  # type: ignore[override]
        """Its parts."""
        return self._divided(str.rsplit(self, sep, maxsplit), sep, maxsplit)

    def splitlines(self, keepends: bool = False) -> Any:
        """Its lines."""
        return self._divided(str.splitlines(self, keepends), "\n")

    def partition(self, sep: str) -> Any:
        """What is before a mark, the mark, and what is after it."""
        self._asked.mark, self._asked.count = sep, 2
        before, mark, after = str.partition(self, sep)
        return Piece(before, self._asked.part(0), self._row), mark, Piece(after, self._asked.part(1), self._row)

    def __getitem__(self, key: Any) -> Any:
        found = str.__getitem__(self, key)
        return self._like(found) if isinstance(key, slice) else found

    def __add__(self, other: str) -> Any:
        return self._like(str.__add__(self, other))

    def __radd__(self, other: str) -> Any:
        return self._like(other + str.__str__(self))

    def __int__(self) -> int:
        if _asks(sys._getframe(1)):
            self._asked.wants("int")
        return int(_number(self))

    def __float__(self) -> float:
        if _asks(sys._getframe(1)):
            self._asked.wants("float")
        return _number(self)

    def __fspath__(self) -> str:
        self._asked.wants("path")
        return str.__str__(self)

    def __hash__(self) -> int:
        if _asks(frame := sys._getframe(1)):
            self._asked.wants("key")
            if instruction(frame) == "BINARY_SUBSCR" and not self._asked.values:
                self._asked.values += subscripted(frame, str.__str__(self))[:MOST]
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        same = str.__eq__(self, other) is True
        if (
            type(other) is str and len(other) <= LONGEST and not same and _asks(sys._getframe(1))
        ):  # of equal ones a table of names asks too
            if not other.strip():
                self._asked.blank = True
            elif len(self._asked.values) < MOST and other not in self._asked.values:
                self._asked.values.append(other)
        return same

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        if not self.endswith("\n") and _asks(sys._getframe(1)):
            self._asked.blank = True
        return str.__len__(self) > 0

    def __len__(self) -> int:
        if not self.endswith("\n") and compared(sys._getframe(1)) == 0:
            self._asked.blank = True
        return str.__len__(self)

    def isspace(self) -> bool:
        """Whether it is blank."""
        self._asked.blank = True
        return str.isspace(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return str, (str.__str__(self),)


def _same(name: str) -> Any:
    plain = getattr(str, name)

    @functools.wraps(plain)
    def call(self: Piece, *args: Any) -> Piece:
        return self._like(plain(self, *args))

    return call


for _name in SAME:
    setattr(Piece, _name, _same(_name))


class Fields(list):
    """The parts of a piece: as many as are asked for."""

    of: Asked
    row: int

    def reach(self, count: int) -> None:
        """Have so many parts at least."""
        for at in range(len(self), min(count, WIDEST)):
            self.append(Piece(named(self.row, at), self.of.part(at), self.row))

    def _asks(self, count: int) -> None:
        if self.of.mark != "\n":
            self.of.count = max(self.of.count, count)
            self.reach(count)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            for bound in (key.start, key.stop):
                if isinstance(bound, int) and bound < 0:
                    self._asks(-bound + (key.start is None))
            if isinstance(key.start, int) and key.start > 0:
                self._asks(key.start)
            self.of.listed = True
        elif isinstance(key, int):
            self._asks(key + 1 if key >= 0 else 1 - key)  # the last is another than the first
        return list.__getitem__(self, key)

    def __len__(self) -> int:
        if count := compared(sys._getframe(1)) or 0:
            self._asks(count)
        return list.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        if count := parts(sys._getframe(1)) or _kept_apart(sys._getframe(1)):
            self._asks(count)
            return iter(list.__getitem__(self, slice(0, count)))
        self.of.listed = self.of.listed or _asks(sys._getframe(1))
        return list.__iter__(self)


class Stream(io.StringIO):
    """A text that is not there, opened."""

    def __init__(self, text: str, name: str, asked: Asked) -> None:
        super().__init__(text)
        self.asked, self._at = asked, 0
        self.name = self.stands_for = name

    def read(self, size: int | None = -1) -> str:
        """The whole as one piece."""
        found = super().read(size)
        return found if size is not None and size >= 0 else Piece(found, self.asked)

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        """The next line."""
        found = super().readline()
        if not found:
            return found
        self.asked.mark, self._at = "\n", self._at + 1
        return Piece(found, self.asked.line(self._at - 1), self._at - 1)

    def readlines(self, hint: int = -1) -> list[str]:  # type: ignore[override]
        """All lines."""
        return [*self]

    def __next__(self) -> str:
        if line := self.readline():
            return line
        raise StopIteration

    def seek(self, *place: int) -> int:  # type: ignore[override]
        """Begin again."""
        self._at = 0
        return super().seek(*place)


@contextlib.contextmanager
def records() -> Iterator[None]:
    """Let pieces be read as JSON or as Python's own words, and tensors be made of entries, while the body runs."""
    from ..kinds import constructors
    from .entries import Entry

    places: Any = ((json, "loads"), (ast, "literal_eval"), (builtins, "eval"))
    kept = [getattr(owner, name) for owner, name in places]

    def reading(original: Any) -> Any:
        @functools.wraps(original)
        def read(text: Any, *args: Any, **options: Any) -> Any:
            if isinstance(text, Piece):
                return Entry(text._asked, text._row, spelt=original is not kept[0])
            if original is kept[2] and not args:  # the names of who asks
                frame = sys._getframe(1)
                return original(text, frame.f_globals, frame.f_locals)
            return original(text, *args, **options)

        return read

    for (owner, name), original in zip(places, kept):
        setattr(owner, name, reading(original))
    try:
        with constructors():
            yield
    finally:
        for (owner, name), original in zip(places, kept):
            setattr(owner, name, original)


def rows(original: Any) -> Any:
    """`csv.reader`, whose rows note what is asked of them where their lines do."""

    @functools.wraps(original)
    def reader(lines: Iterable[str], dialect: Any = "excel", **options: Any) -> Any:
        if not isinstance(lines, Stream):
            return original(lines, dialect, **options)
        mark = options.get("delimiter") or getattr(dialect, "delimiter", None) or csv.get_dialect("excel").delimiter
        return ((line.rstrip("\n") if isinstance(line, Piece) else line).split(mark) for line in lines)

    return reader


def _asks(frame: FrameType | None) -> bool:
    """Whether the user's own code asks, perhaps through a library, and not who records what it does."""
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        if frame.f_code.co_filename.startswith(OWN):
            return False
        frame = frame.f_back
    return True


def _number(piece: Piece) -> float:
    try:
        return float(str.__str__(piece))
    except ValueError:
        return float(piece._row % KINDS or KINDS)  # of a first line as many others


def _taken_apart(frame: FrameType) -> int:
    """Into how many names the statement under way takes apart what a division gives, perhaps each of it mapped; 0 where
    it is kept together."""
    if count := parts(frame):
        return count
    count, divided = _targets(frame.f_code.co_filename).get(frame.f_lineno, (0, False))
    return count if divided else 0


def _kept_apart(frame: FrameType | None) -> int:
    """Into how many names the statement under way takes apart what it makes of each part; 0 where into none."""
    while frame is not None and frame.f_code.co_name.startswith("<") and frame.f_code.co_name != "<module>":
        frame = frame.f_back  # of `[int(part) for part in parts]`
    return _targets(frame.f_code.co_filename).get(frame.f_lineno, (0, False))[0] if frame is not None else 0


@functools.lru_cache(maxsize=64)
def _targets(file: str) -> dict[int, tuple[int, bool]]:
    from ...script.reading import Script, read

    found = read(file)
    return _counted(found.text) if isinstance(found, Script) else {}


def _counted(text: str) -> dict[int, tuple[int, bool]]:
    """How many names are given to the parts of something, or to what is made of each, and whether it is divided there,
    by line.

    >>> _counted("a, b = map(int, line.split())\\nc, d = x[0], x.split()\\nfor e, f in p.split():\\n    pass")
    {1: (2, True)}
    >>> _counted("a, b = [int(part) for part in parts]")
    {1: (2, False)}
    """
    made = {}
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple):
            continue
        through, names, each = node.value, node.targets[0].elts, False
        while isinstance(through, ast.Call) and getattr(through.func, "id", "") in ("map", "list", "tuple"):
            through, each = through.args[-1], True
        if isinstance(through, (ast.ListComp, ast.GeneratorExp)):
            through, each = through.generators[0].iter, True
        divided = isinstance(through, ast.Call) and getattr(through.func, "attr", "") in ("split", "rsplit")
        if (divided or each) and not any(isinstance(name, ast.Starred) for name in names):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            made |= dict.fromkeys(lines, (len(names), divided))
    return made
