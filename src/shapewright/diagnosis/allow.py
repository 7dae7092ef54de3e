"""`# shapewright: allow SLUG` comments, and the choice of rules by `select` and `ignore`."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence

from ..trace import Site

PATTERN = re.compile(r"#\s*shapewright:\s*allow\b[\s:]*([A-Za-z0-9_,\s-]*)", re.IGNORECASE)


def allowances(source: str) -> dict[int, frozenset[str]]:
    """For each line that has an allow comment, the slugs and codes it names (lower case). A text that cannot be
    tokenized is read line by line."""
    try:
        comments = [
            (token.start[0], token.string)
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError):
        comments = list(enumerate(source.splitlines(), 1))
    found = {}
    for line, text in comments:
        match = PATTERN.search(text)
        if match:
            names = re.split(r"[,\s]+", match.group(1).strip().lower())
            found[line] = frozenset(name for name in names if name)
    return found


def is_allowed(site: Site, code: str, slugs: Sequence[str], by_line: dict[int, frozenset[str]]) -> bool:
    """Whether a comment on any line of the span allows the rule of this code and these slugs."""
    lines = range(site.line, max(site.line, site.end_line) + 1)
    return any(name.lower() in by_line.get(line, ()) for line in lines for name in (code, *slugs))


def is_selected(code: str, slugs: Sequence[str], select: Iterable[str], ignore: Iterable[str]) -> bool:
    """Whether a rule speaks. An entry is a slug, a code, or the beginning of a code (`SW2`); `ignore` wins; no `select`
    is all."""

    def named(entries: Iterable[str]) -> bool:
        return any(entry.lower() in slugs or code.lower().startswith(entry.lower()) for entry in entries if entry)

    chosen = tuple(select)
    return (not chosen or named(chosen)) and not named(ignore)
