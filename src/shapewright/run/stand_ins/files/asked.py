"""What a script asks of a text that is not on this machine (`Asked`), as plain data too, and a text of which nothing is
known yet. How it is seen: `observed`; what such a text then holds: `answering`."""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any

from ....dataclass import dataclass
from ..hub.pieces import words

PLACES, LINES = 64, 60  # parts of a line, and lines, of which each has what is asked of it for itself
PERIOD = 12  # after which later lines share it
LONGEST, MOST = 40, 12  # characters of a value that something is compared with, and how many of these are kept
KINDS = 20  # of numbers
NAMES, PARTS, LINED = 40, 5, 420  # in use, of a line, and lines
LISTED, ENTRIES, VOCABULARY = 3, 40, 1000  # in a list of a document, in one that is the whole, of all by names
ASKED_OF = "["  # with which a form begins that the script's own code asked for
HOLDING = frozenset({"record", "mapping", "list", "row", "array", "pair"})  # what is more than one text or number


@dataclass
class Asked:
    """What is asked of a piece of text, or of a part of a document: that it be a number (`int`, `float`), a `key`, a
    `path` (of which the ending is put to it: a `stem`), a `pair` of numbers, a `record` of values by the names `keys`
    (counted where it is `listed`), a `mapping` of names (part 1) to values (part 0), perhaps asked for by other data
    (part 2), a `list` (of part 0), a `row` of
    parts of their own or an `array`; a `text` in any case; that it be divided at a `mark` (empty: at blanks) into
    `count` parts, 0 where any number will do, which are gone through where it is `listed`; whether it is empty
    (`blank`), the `values` that it is compared with; and all that of its `parts`."""

    kind: str = ""
    mark: str | None = None
    count: int = 0
    listed: bool = False
    blank: bool = False
    values: list[str] = field(default_factory=list)
    parts: dict[int, Asked] = field(default_factory=dict)
    text: bool = False
    stem: bool = False
    keys: dict[str, Asked] = field(default_factory=dict)

    def part(self, at: int) -> Asked:
        """What is asked of a part."""
        return self.parts.setdefault(min(at, PLACES - 1), Asked())

    def line(self, at: int) -> Asked:
        """What is asked of a line."""
        return self.parts.setdefault(at if at < LINES else LINES - PERIOD + at % PERIOD, Asked())

    def holds(self, other: Asked) -> bool:
        """Whether something else is it or a part of it."""
        return self is other or any(part.holds(other) for part in (*self.parts.values(), *self.keys.values()))

    def wants(self, kind: str) -> None:
        """Note that it is to be something; a number that is looked up is one."""
        if (kind != "key" or not self.kind) and self.kind not in HOLDING:
            self.kind = kind if self.kind != "float" or kind != "int" else self.kind

    @property
    def told(self) -> bool:
        """Whether anything is asked."""
        return bool(self.kind or self.values or self.blank or self.text) or self.mark is not None

    def agrees(self, other: Asked) -> bool:
        """Whether one text can be both."""
        if (self.kind and other.kind and self.kind != other.kind) or (0 < self.count != other.count > 0):
            return False
        if (self.kind and other.mark is not None) or (other.kind and self.mark is not None):
            return False
        if self.mark is not None and other.mark is not None and self.mark != other.mark:
            return False
        return all(self.parts[at].agrees(other.parts[at]) for at in self.parts.keys() & other.parts.keys())

    def joined(self, other: Asked) -> Asked:
        """What is asked of either."""
        made = Asked(self.kind or other.kind, self.mark if self.mark is not None else other.mark)
        made.count, made.listed = max(self.count, other.count), self.listed or other.listed
        made.blank, made.values = self.blank or other.blank, list(dict.fromkeys([*self.values, *other.values]))[:MOST]
        for at in sorted({*self.parts, *other.parts}):
            one, two = self.parts.get(at), other.parts.get(at)
            made.parts[at] = one.joined(two) if one and two else one or two or Asked()
        made.text, made.stem = self.text or other.text, self.stem or other.stem
        for name in dict.fromkeys([*self.keys, *other.keys]):
            one, two = self.keys.get(name), other.keys.get(name)
            made.keys[name] = one.joined(two) if one and two else one or two or Asked()
        return made

    def data(self) -> list[Any]:
        """As plain data."""
        parts = {at: part.data() for at, part in self.parts.items() if part.told}
        keys = {name: part.data() for name, part in self.keys.items()}
        own = [self.kind, self.mark, self.count, self.listed, self.blank, self.values, parts]
        return [*own, self.text, self.stem, keys] if self.text or self.stem or keys else own


def written(asked: Asked) -> str:
    """What is asked of a text, in a line.

    >>> read_back(written(Asked("", "\\t", 2, parts={1: Asked("int")}))).parts[1].kind
    'int'
    """
    return json.dumps(asked.data())


def read_back(text: str) -> Asked:
    """What was `written`."""
    return _of(json.loads(text))


def of_form(form: str) -> Asked | None:
    """What a form says that the script's own code asked for; `None` of any other form."""
    return read_back(form) if form.startswith(ASKED_OF) else None


def _of(data: list[Any]) -> Asked:
    own, parts, (text, stem, keys) = data[:6], data[6], data[7:] or (False, False, {})
    made = Asked(*own, {int(at): _of(part) for at, part in parts.items()}, text, stem)
    made.keys = {name: _of(part) for name, part in keys.items()}
    return made


def which(row: int, at: int, count: int = NAMES) -> int:
    """Which of so many names stands in a place of a line: all files hold the same few."""
    return (row + 7 * at + row // NAMES * at) % count


def named(row: int, at: int) -> str:
    """A name in a place of a line."""
    return words()[which(row, at)]


def unasked(mark: str) -> str:
    """A text of which nothing is known yet."""
    return "\n".join(mark.join(named(row, at) for at in range(PARTS)) for row in range(LINED)) + "\n"
