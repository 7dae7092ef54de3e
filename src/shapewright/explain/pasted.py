"""What people paste: tracebacks with colors, prefixes of logs, of notebooks and of pytest. It cleans them and finds
the user's line in them."""

from __future__ import annotations

import html
import re

from .model import Place

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
QUOTES = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00a0": " ",
        "\u202f": " ",
        "\u200b": "",
        "\u00d7": "x",
    }
)
FRAME = re.compile(
    r'^(?P<prefix>[^\n"]*?)[ \t]*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>[^\n]+))?\n'
    r'(?:(?P=prefix)[ \t]+(?![ \t]|File ")(?P<code>[^\n]+))?',
    re.M,
)
CELL = re.compile(
    r"^(?:(?P<cell>Cell In ?\[\d+\]|<ipython-input-[^>]+>|Input In \[\d+\]|File \S+?\.py)(?::\d+)?(?:,? line "
    r"\d+)?,?(?: in (?P<function>[^\n(]+)[^\n]*|[^\n]*))"
    r"\n(?:(?!Cell In|<ipython|Input In|File )[^\n]*\n){0,12}?-{2,}> *(?P<line>\d+) ?(?P<code>[^\n]*)",
    re.M,
)
PYTEST = re.compile(
    r"^(?P<file>[^\s:]+\.py):(?P<line>\d+): (?:in (?P<function>\w+)|\w*(?:Error|Exception))?[^\n]*$", re.M
)
LIBRARY = re.compile(
    r"site-packages|dist-packages|[/\\]lib[/\\]python\d|[/\\]shapewright[/\\]explain[/\\]|^<(?!ipython)"
)


def cleaned(text: str) -> str:
    """The text without colors, log marks of a rank, entities and typographic quotes."""
    text = html.unescape(ANSI.sub("", text)).translate(QUOTES).replace("\r\n", "\n")
    return "\n".join(re.sub(r"^\[rank\d+\]:\s?", "", line) for line in text.splitlines())


def joined(text: str) -> str:
    """The text in one line: a message that a narrow terminal broke is whole again."""
    return re.sub(r"\s*\n\s*", " ", text)


def user_line(text: str) -> Place | None:
    """The innermost frame of a traceback that is the user's own, `None` where there is no traceback."""
    text += "\n"
    for pattern in (FRAME, CELL, PYTEST):
        frames = [match for match in pattern.finditer(text) if not LIBRARY.search(_file(match))]
        if frames:
            last = frames[-1]
            return Place(
                _file(last),
                int(last["line"]),
                (last["function"] or "").strip(),
                (last.groupdict().get("code") or "").strip(),
            )
    return None


def _file(match: re.Match[str]) -> str:
    found = match.groupdict()
    return found.get("file") or found["cell"].removeprefix("File ")
