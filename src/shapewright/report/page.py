"""The layout of text in columns: wrapping, padding and cutting by display width, where a Japanese character is two
cells wide.

It knows no diagnosis; `terminal` does."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

TAB = 4
NO_BREAK = "\u00a0"  # the space between a number and its unit


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at spaces, or anywhere between wide characters; a space that
    must not be broken becomes a plain one.

    >>> wrapped("a reward model", 8)
    ['a reward', 'model']
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if line and cell_len(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece.lstrip() if not line else piece
    lines.append(line.rstrip())
    return [one.replace(NO_BREAK, " ") for one in lines if one] or [""]


def _pieces(text: str) -> list[str]:
    """Units that must stay together: a word with the space after it, a single wide character with the closing mark
    after it."""
    pieces: list[str] = []
    for character in text:
        wide = cell_len(character) == 2
        joins = bool(pieces) and (
            character in " 、。）」！？：；ー"
            or pieces[-1].endswith(NO_BREAK)
            or character in ",.;:)"
            or (not wide and not pieces[-1].endswith(" ") and cell_len(pieces[-1][-1]) != 2)
        )
        if joins:
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def padded(text: str, width: int) -> str:
    """`text` followed by spaces up to `width` cells."""
    return text + " " * max(0, width - cell_len(text))


def cut(text: str, width: int) -> str:
    """`text`, cut to `width` cells with an ellipsis where it is longer."""
    return text if cell_len(text) <= width else set_cell_size(text, max(1, width - 1)).rstrip() + "…"


def columns_before(text: str, column: int) -> int:
    """Cells that the characters before `column` (from 1) take, a tab going to the next multiple of four.

    >>> columns_before("\\tx = 1", 2)
    4
    """
    return cell_len(text[: max(0, column - 1)].expandtabs(TAB))


def window(text: str, width: int, start: int, end: int) -> tuple[str, int]:
    """`text` in at most `width` cells so that its cells from `start` to `end` are seen, and how many cells the rest
    moved to the left.

    >>> window("a = 1; b = 2; c = 3; d = 4", 10, 14, 19)
    ('…; c = 3;…', 11)
    """
    if cell_len(text) <= width or end <= width - 1:
        return cut(text, width), 0
    away = min(start - 1, end - width + 2)
    if away < 2:
        return cut(text, width), 0
    kept = text
    while cell_len(text) - cell_len(kept) < away + 1:
        kept = kept[1:]
    moved = cell_len(text) - cell_len(kept) - 1
    return cut("…" + kept, width), moved
