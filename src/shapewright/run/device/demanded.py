"""Does a script demand an accelerator where it asks for one? `assert torch.cuda.is_available()` goes nowhere without;
`x if ... else y` has another way."""

from __future__ import annotations

import ast
import functools
from types import FrameType

ENDING = frozenset({"exit", "quit", "_exit"})


def demanded(frame: FrameType) -> bool:
    """Whether the question asked at `frame` stands in a test that ends the script when the answer is no."""
    return any(first <= frame.f_lineno <= last for first, last in _tests(frame.f_code.co_filename))


@functools.lru_cache(maxsize=64)
def _tests(file: str) -> tuple[tuple[int, int], ...]:
    try:
        with open(file, encoding="utf-8") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return ()
    found = []
    for node in ast.walk(tree):
        denied = isinstance(node, (ast.Assert, ast.If)) and any(
            isinstance(part, ast.Not) for part in ast.walk(node.test)
        )
        ends = (isinstance(node, ast.Assert) and not denied) or (
            isinstance(node, ast.If) and denied and _ends(node.body[-1])
        )
        if ends and any(
            isinstance(part, ast.Attribute) and part.attr == "is_available" for part in ast.walk(node.test)
        ):
            found.append((node.test.lineno, node.test.end_lineno or node.test.lineno))
    return tuple(found)


def _ends(statement: ast.stmt) -> bool:
    """Whether a statement raises or leaves the process."""
    if isinstance(statement, ast.Raise):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in ENDING
