"""The script as it ran, each line with the shapes that it bound; keywords, texts and comments in quiet colors."""

from __future__ import annotations

import io
import keyword
import tokenize
from html import escape
from itertools import groupby

from ...diagnosis.paths import as_given
from ...trace import Axis
from .sheet import Sheet, breakable
from .words import word

KINDS = {tokenize.COMMENT: "co", tokenize.STRING: "st", tokenize.NUMBER: "nu"}
OPEN = 400  # lines of a script that is shown unfolded


def sources(sheet: Sheet) -> str:
    """Every user file that ran, the script first."""
    return "".join(_file(file, text, sheet) for file, (_, text) in sheet.files.items())


def _file(file: str, text: str, sheet: Sheet) -> str:
    marks = _marks(file, sheet)
    shapes = _shapes(file, sheet)
    classes = _classes(text)
    rows = []
    for number, row in enumerate(text.splitlines(), 1):
        chips = "".join(
            f'<span class="bound">{f"<i>{escape(name)}</i>" if len(shapes[number]) > 1 else ""}{sheet.shape(axes)}'
            "</span>"
            for name, axes in shapes.get(number, {}).items()
        )
        chips = f'<span class="bounds">{chips}</span>' if chips else ""
        state = " fault" if number in marks else ""
        said = sheet.diagnosis.line(number, file)
        rows.append(
            f'<li id="{sheet.anchor(file, number)}" class="row{state}"><i class="no">{said}</i>'
            f"<code>{_code(row, classes.get(number, {}), marks.get(number, []))}</code>{chips}</li>"
        )
    open_ = " open" if len(rows) <= OPEN and file == sheet.diagnosis.script else ""
    title = escape(word("source", sheet.lang, file=file))
    return (
        f'<details class="source"{open_}><summary>{title}</summary><ol class="code" tabindex="0" '
        f'aria-label="{title}">{"".join(rows)}</ol></details>'
    )


def _marks(file: str, sheet: Sheet) -> dict[int, list[tuple[int, int]]]:
    """The columns to underline, by line."""
    marks: dict[int, list[tuple[int, int]]] = {}
    for finding in sheet.diagnosis.findings:
        site = finding.site
        if as_given(site.file, sheet.diagnosis.script) == file:
            end = site.end_column if site.end_line == site.line else 1 << 16
            marks.setdefault(site.line, []).append((site.column - 1, end - 1))
    return marks


def _shapes(file: str, sheet: Sheet) -> dict[int, dict[str, tuple[Axis, ...]]]:
    found: dict[int, dict[str, tuple[Axis, ...]]] = {}
    for one in sheet.trace.bound if sheet.trace and sheet.book else ():
        if as_given(one.site.file, sheet.diagnosis.script) == file and sheet.book:
            found.setdefault(one.site.line, {}).setdefault(one.name, sheet.book.axes(one.fact))
    return found


def _classes(text: str) -> dict[int, dict[int, str]]:
    """The class of each colored character, by line and column."""
    found: dict[int, dict[int, str]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            name = KINDS.get(token.type) or (
                "kw" if token.type == tokenize.NAME and keyword.iskeyword(token.string) else ""
            )
            if not name and tokenize.tok_name[token.type].startswith("FSTRING"):
                name = "st"
            for line in range(token.start[0], token.end[0] + 1) if name else ():
                first = token.start[1] if line == token.start[0] else 0
                last = token.end[1] if line == token.end[0] else 1 << 12
                found.setdefault(line, {}).update(dict.fromkeys(range(first, min(last, first + 400)), name))
    except (tokenize.TokenError, SyntaxError):
        return found
    return found


def _code(row: str, classes: dict[int, str], marks: list[tuple[int, int]]) -> str:
    parts = []
    marked = [any(start <= at < end for start, end in marks) for at in range(len(row))]
    for (bad, name), run in groupby(range(len(row)), lambda at: (marked[at], classes.get(at, ""))):
        text = breakable("".join(row[at] for at in run))
        said = f'<span class="{name}">{text}</span>' if name else text
        parts.append(f"<mark>{said}</mark>" if bad else said)
    return "".join(parts) or " "
