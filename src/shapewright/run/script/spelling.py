"""Sources that Python itself no longer reads: an argument called `async`, which is a word of the language since 3.7."""

from __future__ import annotations

import ast
import re

OLD, NEW = "async", "non_blocking"  # torch renamed it in the same year
NAMED = re.compile(rf"\b{OLD}(?=\s*=[^=])")


def present(text: str) -> str:
    """The text in its present spelling, line by line; as it is where Python reads it.

    >>> present("x = x.cuda(async=True)"), present("x = 1")
    ('x = x.cuda(non_blocking=True)', 'x = 1')
    """
    if NAMED.search(text):
        try:
            ast.parse(text)
        except SyntaxError:
            return NAMED.sub(NEW, text)
    return text


def changed(text: str, old: str) -> tuple[int, ...]:
    """The lines of `text` that `old` has otherwise."""
    pairs = zip(text.splitlines(), old.splitlines())
    return tuple(number for number, (new, before) in enumerate(pairs, 1) if new != before)
