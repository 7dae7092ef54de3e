"""What is known of a message, and what is said of one occurrence of it."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping

from ..dataclass import dataclass

Words = tuple[str, str, str, str]
"""What the call wants · what it got · possible causes with their sums · what to try. A line whose named field is empty
is left out."""


@dataclass(frozen=True)
class Message:
    """A known message. `patterns` are regular expressions, newest wording first, whose named groups are the fields of
    the texts; `sums` adds fields computed from them."""

    slug: str
    patterns: tuple[str, ...]
    en: Words
    es: Words
    ja: Words
    sums: Callable[[dict[str, str]], Mapping[str, object]] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """The last occurrence of the message in `text`: in a traceback, the last error is the one that ended the
        script."""
        found = None
        for pattern in self.patterns:
            for match in re.finditer(pattern, text):
                found = match if found is None or match.start() > found.start() else found
        return found

    def words(self, match: re.Match[str], lang: str) -> Words:
        """The four texts in `lang`, filled with the numbers of this occurrence."""
        fields: dict[str, object] = {name: value or "" for name, value in match.groupdict().items()}
        if self.sums is not None:
            fields |= self.sums({name: str(value) for name, value in fields.items()})
        wants, got, causes, hints = (_filled(text, fields) for text in getattr(self, lang))
        return wants, got, causes, hints


def _filled(text: str, fields: Mapping[str, object]) -> str:
    lines = []
    for line in text.strip().splitlines():
        used = {name for _, name, _, _ in string.Formatter().parse(line) if name}
        if all(str(fields.get(name, "")) for name in used):
            lines.append(line.strip().format(**fields))
    return "\n".join(lines)


@dataclass(frozen=True)
class Place:
    """The user's line in a traceback. `line` counts from 1; `code` is its source where the traceback shows it."""

    file: str
    line: int
    function: str = ""
    code: str = ""


@dataclass(frozen=True)
class Explanation:
    """What is said of a text. `slug` is empty where the message is unknown; then only `message`, `place` and
    `unrelated` are set."""

    message: str
    lang: str = "en"
    slug: str = ""
    family: str = ""
    wants: str = ""
    got: str = ""
    causes: str = ""
    hints: str = ""
    place: Place | None = None
    unrelated: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        return bool(self.slug)

    def __str__(self) -> str:
        from .page import render

        return render(self)
