"""Sources that Python itself no longer reads: an argument called `async`, which is a word of the language since 3.7,
and what was written for Python 2."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

OLD, NEW = "async", "non_blocking"  # torch renamed it in the same year
NAMED = re.compile(rf"\b{OLD}\b(?!\s+(?:def|for|with)\b)")
SECOND = re.compile(
    r"^[^#\n]*\b(print\s+[^\s(=.]|print\s*$|except\s+[\w.()]+\s*,|raise\s+\w+\s*,|exec\s+\w)|<>|print\s*>>", re.M
)
FIXES = (
    "print except raise exec ne repr xrange raw_input dict has_key unicode basestring long numliterals next "
    "tuple_params itertools map filter zip urllib imports"
)  # none that adds a line: every line keeps its number


def present(text: str, second: bool = False) -> str:
    """The text in its present spelling, line by line; as it is where Python reads it, unless it is known to be of
    Python 2 (`second`).

    >>> present("x = x.cuda(async=True)"), present("x = 1")
    ('x = x.cuda(non_blocking=True)', 'x = 1')
    >>> present("def f(async=True):\\n    return 1 if async else 2\\n")
    'def f(non_blocking=True):\\n    return 1 if non_blocking else 2\\n'
    >>> present("for i in xrange(3): print 'step', i\\n")
    "for i in range(3): print('step', i)\\n"
    """
    if second and (made := _third(text)):
        return made
    if not (NAMED.search(text) or SECOND.search(text)) or parses(text):
        return text
    named = NAMED.sub(NEW, text)
    return named if parses(named) else _third(named) or named


def respelt(text: str, old: str, second: bool = False) -> Iterator[tuple[int, str, str]]:
    """What `text` has in another spelling than `old`: each line with both; of Python 2 the first line only."""
    if not second and parses(old):
        return
    second = second or not parses(NAMED.sub(NEW, old))
    for number, (new, before) in enumerate(zip(text.splitlines(), old.splitlines()), 1):
        if new != before:
            yield (number, "Python 2", "Python 3") if second else (number, f"{OLD}=", f"{NEW}=")
            if second:
                return


def parses(text: str) -> bool:
    """Whether Python reads a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _third(text: str) -> str:
    """A text of Python 2 as Python 3 has it, with the same lines; nothing where that cannot be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from lib2to3.pgen2.parse import ParseError
            from lib2to3.pgen2.tokenize import TokenError
            from lib2to3.refactor import RefactoringTool

            called = parses(text)  # `print` is a function there
            names = [name for name in FIXES.split() if not called or name not in ("print", "exec")]
            tool = RefactoringTool([f"lib2to3.fixes.fix_{name}" for name in names], {"print_function": called})
        except (ImportError, OSError):  # Python 3.13 has it no more, and some systems leave its grammar out of 3.12
            return ""
        try:
            made = str(tool.refactor_string(text + "\n" * (not text.endswith("\n")), "script"))
        except (ParseError, TokenError, RecursionError):
            return ""
    return made if parses(made) and made.rstrip().count("\n") == text.rstrip().count("\n") else ""
