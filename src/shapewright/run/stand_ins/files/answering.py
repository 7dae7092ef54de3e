"""Texts of the form that a script's own code asked of one (`asked`): lines of parts, numbers, names that other files
know too, sentences.

Files agree: a name is one of a few that every file holds, a number one of a few, and where a line gives a name its
number there is one line for each.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..hub.pieces import words
from .asked import ENTRIES, HOLDING, KINDS, LINED, LINES, LISTED, NAMES, VOCABULARY, Asked, read_back, which

if TYPE_CHECKING:
    from ...process.request import Guess
    from .usage import Usage

KNOWN, SPOKEN = 400, 200  # names of a file of names, words of sentences
EACH = 5  # lines that begin with the same number
LONG = 8  # lines between blank ones
PERIODS, FEWEST = 6, 4
TAGS = ("O", "B-PER", "I-PER", "E-PER", "S-LOC")


def text_of(
    form: str, told: Usage, guess: Guess, width: int, row: Callable[[str], tuple[int, ...]] = lambda name: ()
) -> str:
    """A text of a form that was `asked.written`; `width` is how many numbers there are where any number will do, `row`
    gives the sizes of an array of a name."""
    return Writer(told, guess, width, row).text(read_back(form))


def periodic(asked: Asked) -> tuple[int, list[Asked]]:
    """How many lines come first that are apart, and the forms of those that follow, which come again in turn.

    >>> lines = {0: Asked("int"), 1: Asked("key"), 2: Asked(mark=" "), 3: Asked("key"), 4: Asked(mark=" ")}
    >>> before, forms = periodic(Asked(mark="\\\\n", parts=lines))
    >>> before, [form.mark for form in forms]
    (1, [None, ' '])
    """
    known = [asked.parts.get(at, Asked()) for at in range(max(asked.parts, default=0) + 1)][:LINES]
    for before, count in sorted(((b, p) for b in (0, 1) for p in range(1, PERIODS + 1)), key=lambda one: sum(one)):
        turns = [known[before:][at::count] for at in range(count)]
        if all(one.agrees(other) for turn in turns for one in turn for other in turn) and all(turns):
            forms = []
            for turn in turns:
                form = Asked()
                for one in turn:
                    form = form.joined(one)
                forms.append(form)
            return before, forms
    form = Asked()
    for one in known:
        form = form.joined(one)
    return 0, [form]


class Writer:
    """Writes texts: `told` are the sources' own words, `guess` what they leave open."""

    def __init__(self, told: Usage, guess: Guess, width: int, row: Callable[[str], tuple[int, ...]]) -> None:
        self.told, self.guess, self.width, self.row = told, guess, width, row
        self.chance = random.Random(0)
        self.columns: dict[str, list[Any]] = {}
        self.pool = [*guess.needed, *words()]

    def text(self, asked: Asked) -> str:
        """The whole text."""
        if asked.kind in HOLDING:
            return json.dumps(self.held(asked, 0, ""), default=list)
        if asked.mark is None:
            return "\n".join(self._sentence(row) for row in range(LINED)) + "\n"
        if asked.mark != "\n":
            block = asked.parts.get(0, Asked()) if not asked.count else None
            if block is not None:
                return asked.mark.join(
                    self.text(block) if block.mark == "\n" else self._piece(block, row, asked) for row in range(LINED)
                )
            return self._piece(asked, 0, asked)
        before, forms = periodic(asked)
        count = self._count(forms)
        lines = [self._piece(forms[row % len(forms)], row // len(forms), asked) for row in range(count * len(forms))]
        if any(form.blank and (form.mark is not None or not form.kind) for form in forms) and len(forms) == 1:
            lines = [part for at in range(0, len(lines), LONG) for part in (*lines[at : at + LONG], "")]
        first = [self._first(asked.parts[0], len(lines))] if before else []
        return "\n".join([*first, *lines]) + "\n"

    def _count(self, forms: list[Asked]) -> int:
        """How many times the forms of lines come again."""
        if self.guess.low and any(map(_names, forms)):
            return FEWEST
        return max(self.guess.many, KNOWN + len(self.guess.needed) if any(map(_names, forms)) else LINED)

    def _first(self, asked: Asked, count: int) -> str:
        """A line before the others: how many there are."""
        if asked.mark is None:
            return str(count) if asked.kind in ("int", "float") else self._piece(asked, 0, asked)
        kinds = [asked.parts.get(at, Asked()).kind for at in range(max(asked.count, 1))]
        return (asked.mark or " ").join(
            str(self.width if at else count) if kind == "int" else f"c{at}" for at, kind in enumerate(kinds)
        )

    def _piece(self, asked: Asked, row: int, of: Asked, at: int = 0) -> str:
        if asked.mark is not None:
            return (asked.mark or " ").join(self._parts(asked, row))
        if asked.values and asked.kind in ("", "key"):
            known = asked.values if len(asked.values) > 1 else [*asked.values, words()[0]]
            return known[(row + row // 2) % len(known)]
        if asked.kind == "int":
            return str(self._number(row, of, at))
        if asked.kind == "float":
            return f"{(row * 7 + at * 3) % 10 / 10 + (0 if self.guess.first else 0.05):.2f}"
        if asked.kind == "pair":
            return f"({self._low(row // EACH)}, {self._low(row * 7 % KINDS)})"
        if asked.kind == "record" and not asked.keys:
            return self._record(row)
        if asked.kind in HOLDING:
            return json.dumps(self.held(asked, row, ""), default=list)
        if asked.kind == "path":
            return f"{row:06d}{next((one for one in self.told.endings), '.jpg')}"
        if asked.kind == "key":
            return self._name(row, of, at)
        return self._sentence(row) if of.mark not in ("", " ") else self._name(row, of, at)

    def _record(self, row: int) -> str:
        return json.dumps({key: self._column(key)[row % LINED] for key in self.told.keys or ["text"]})

    def held(self, asked: Asked, row: int, name: str, count: int = ENTRIES) -> Any:
        """What a part of a document holds; `count` is how many are listed."""
        if asked.kind == "record":
            return self._record_of(asked, row)
        if asked.kind in ("list", "mapping"):
            many = max(asked.count, LISTED if count == LISTED else max(count, self.guess.many))
            each = asked.parts.get(0, Asked())
            values = [self.held(each, row * many + at, name, LISTED) for at in range(many)]
            if asked.kind == "list":
                return values
            names, by = asked.parts.get(1, Asked()), asked.parts.get(2, Asked())
            if by.kind == "int" and not names.told:  # as other data hold them
                return [*values, *(self.held(each, row, name, LISTED) for _ in range(KINDS + 2 - many))]
            names.kind = names.kind or "key"
            return dict(zip((self._piece(names, at, Asked(mark="\n")) for at in range(many)), values))
        if asked.kind == "row":
            places = range(max(asked.count, 1 + max(asked.parts, default=0)))
            return [self.held(asked.parts.get(at, Asked()), row, name, count) for at in places]
        if asked.kind == "array":
            import numpy

            return numpy.round(numpy.random.RandomState(row).rand(*self.row(name)), 3).tolist()
        if asked.values and not asked.text:
            known = asked.values
            if len(known) == 1:
                known = [*known, words()[0] if isinstance(known[0], str) else known[0] + 1]
            return known[row % len(known)]
        if asked.kind in ("int", "float") and not asked.text:
            whole = 1 - self.guess.low + (row + row // 2) % (KINDS if self.guess.rich else 2)
            return whole if asked.kind == "int" else whole / 2
        if not asked.told:
            return self._column(name)[row % LINED]
        text = self.text(asked) if asked.mark == "\n" else self._piece(asked, row, Asked(mark="\n"))
        return os.path.splitext(text)[0] if asked.stem else text

    def _record_of(self, asked: Asked, row: int) -> dict[str, Any]:
        """Values by the names that are asked for, numbered ones by all numbers; where they are counted and none is more
        than a number, a vocabulary."""
        parts = [*asked.keys.values()]
        if len(parts) >= LISTED and all(key.isdigit() for key in asked.keys):
            form = Asked()
            for part in parts:
                form = form.joined(part)
            return {str(at): self.held(form, at, str(at), LISTED) for at in range(self.guess.many or VOCABULARY)}
        if asked.listed and not any(part.text or part.kind in (*HOLDING, "float", "path") for part in parts):
            known = dict.fromkeys([*asked.keys, *self.told.words, *self.pool[: self.guess.many or VOCABULARY]])
            return {word: number for number, word in enumerate(known)}
        return {key: self.held(part, row, key, LISTED) for key, part in asked.keys.items()}

    def _column(self, name: str) -> list[Any]:
        from .contents import column

        if name not in self.columns:
            self.columns[name] = column(name, self.told, self.guess, LINED, spoken=True)
        return self.columns[name]

    def _parts(self, asked: Asked, row: int) -> Iterator[str]:
        known = [asked.parts.get(at, Asked()) for at in range(asked.count)]
        for at, part in enumerate(known):
            yield self._piece(part, row, asked, at)
        if not asked.listed and asked.count:
            return
        rest = Asked()
        for at, part in asked.parts.items():
            if at >= asked.count:
                rest = rest.joined(part)
        if asked.count and not rest.told:
            return
        numbers = rest.kind in ("int", "float")
        count = self.width if numbers else 3 + (row * 7) % 9
        for at in range(asked.count, asked.count + max(count - asked.count * numbers, 1)):
            yield self._piece(rest, row, asked, at) if numbers else self.pool[self.chance.randrange(SPOKEN)]

    def _number(self, row: int, of: Asked, at: int) -> int:
        kinds = [part.kind for part in of.parts.values() if part.kind] if of.mark not in (None, "\n") else []
        if _names(of):
            return row
        if len(kinds) > 1 and set(kinds) <= {"int", "float"}:
            if self.guess.masks:  # bits
                return (row + at) % 2
            return self._low(row // EACH if at == 0 else (row * (2 * at + 1) + row // KINDS) % KINDS)
        return self.guess.first + ((row + row // 2) % 2 if not self.guess.rich else row % KINDS)

    def _low(self, number: int) -> int:
        return number % 2 if self.guess.low else number

    def _name(self, row: int, of: Asked, at: int) -> str:
        if of.mark == "\n" or _names(of):
            return self.pool[row]
        if of.blank and at and at == of.count - 1:
            return self.chance.choice(TAGS)
        return self.pool[which(row, at, NAMES + len(self.guess.needed))]

    def _sentence(self, row: int) -> str:
        spoken = [self.pool[self.chance.randrange(SPOKEN)] for _ in range(4 + row % 7)]
        return " ".join([*(self.guess.needed if not row else ()), *spoken])


def _names(asked: Asked) -> bool:
    """Whether a line is a name alone, or gives one its number."""
    if asked.mark in (None, "\n"):
        return asked.kind == "key" and not asked.values
    kinds = sorted(part.kind for part in asked.parts.values() if part.kind or part.told)
    return asked.count <= 2 and not asked.listed and kinds == ["int", "key"]
