"""Between the diagnosis's places (lines and characters from 1) and the protocol's (from 0, in units of the client's
choice)."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

Units = Callable[[str], int]  # how many units a text has


class Lines:
    """The lines of one text, as the client counts them."""

    def __init__(self, text: str, units: Units) -> None:
        self.lines, self._units = text.splitlines(), units

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and a column, both from 1, kept within the text."""
        line = min(max(line, 1), max(len(self.lines), 1))
        text = self.lines[line - 1] if self.lines else ""
        return types.Position(line - 1, self._units(text[: max(column - 1, 0)]))

    def span(self, line: int, column: int, end_line: int, end_column: int) -> types.Range:
        """The range between two places; an empty one takes the rest of its line."""
        begin, end = self.position(line, column), self.position(max(end_line, line), end_column)
        if (end.line, end.character) <= (begin.line, begin.character):
            end = self.end(line)
        return types.Range(begin, end)

    def end(self, line: int) -> types.Position:
        """The end of a line's text, before blanks."""
        text = self.lines[line - 1].rstrip() if 0 < line <= len(self.lines) else ""
        return types.Position(max(line - 1, 0), self._units(text))

    def column(self, position: types.Position) -> int:
        """The column, from 1, of a position of the client's."""
        text = self.lines[position.line] if position.line < len(self.lines) else ""
        return 1 + next((n for n in range(len(text) + 1) if self._units(text[:n]) >= position.character), len(text))


def moved(before: str, after: str) -> Callable[[int], int | None]:
    """Where a line of `before` is in `after`; `None` for a line that was changed. Both count from 1."""
    if before == after:
        return lambda line: line
    old, new = before.splitlines(), after.splitlines()
    where: dict[int, int] = {}
    for begin, to, size in difflib.SequenceMatcher(None, old, new).get_matching_blocks():
        where.update((begin + step + 1, to + step + 1) for step in range(size))
    return where.get


def path_of(uri: str) -> str:
    """The absolute path of a file's URI, empty where it is no file."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return os.path.abspath(path) if path else ""


def uri_of(path: str) -> str:
    """The URI of a file."""
    return from_fs_path(os.path.abspath(path)) or ""


def within(one: types.Range, other: types.Range) -> bool:
    """Whether two ranges share a line."""
    return one.start.line <= other.end.line and other.start.line <= one.end.line


def joined(parts: Sequence[str]) -> str:
    """The parts that say anything, as paragraphs."""
    return "\n\n".join(part for part in parts if part)
