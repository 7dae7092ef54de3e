"""Several versions of a script in one tree: where its edited texts differ in single statements, each of these stands
beside the script's own and is chosen while it runs (`process/parking`). Positions are those of the text that a
statement comes from, in which no line has moved.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from .added import at, call
from .instrument import alone
from .marked import FUNCTIONS, begin, blocks

YIELDS = (ast.Yield, ast.YieldFrom, ast.Await)
NAMES = (ast.NamedExpr, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)


class Versions:
    """The statements in which edited texts differ from a script's, by number of the text and line of the statement.

    Args:
        text, tree: the script's, as it is written.
        texts: the edited ones.
    """

    def __init__(self, text: str, tree: ast.Module, texts: Sequence[str]) -> None:
        self.lines, self.tree = text.splitlines(), tree
        self.arrays = "numpy" in text
        self.known: dict[str, int] = {}
        self.found: dict[int, dict[int, list[ast.stmt]]] = {}
        self._simple: dict[int, tuple[ast.stmt, ast.AST | None]] = {}
        for statement, function in _statements(tree, None):
            held = getattr(statement, "body", None) or getattr(statement, "cases", None)
            last = statement.end_lineno or statement.lineno
            if isinstance(held, list):  # its head alone
                last = max(statement.lineno, getattr(held[0], "lineno", last + 1) - 1)
            for line in range(begin(statement), last + 1):
                shared = line in self._simple or bool(held)
                self._simple[line] = (ast.Pass(), None) if shared else (statement, function)
        for number, edited in enumerate(texts):
            statements = self._edited(edited.splitlines())
            if statements:
                self.known[edited], self.found[number] = number, statements

    def _edited(self, lines: list[str]) -> dict[int, list[ast.stmt]]:
        """The edited statements of a text by the lines on which they begin; none where there is more to it."""
        differing = [at for at, (old, new) in enumerate(zip(self.lines, lines), 1) if old != new]
        found: dict[int, list[ast.stmt]] = {}
        for line in differing if len(lines) == len(self.lines) else ():
            statement, function = self._simple.get(line, (ast.Pass(), None))
            first, last = getattr(statement, "lineno", 0), getattr(statement, "end_lineno", None) or 0
            if not first:
                return {}
            if first not in found:
                inside = "if 1:\n" if statement.col_offset else "\n"
                text = (
                    "\n" * (first - 2) * (first > 1)
                    + (inside if first > 1 else "")
                    + "\n".join(lines[first - 1 : last])
                )
                try:
                    made = ast.parse(text).body
                except SyntaxError:
                    return {}
                made = made[0].body if statement.col_offset and first > 1 else made  # type: ignore[attr-defined]
                if not made or not _fits(made, function):
                    return {}
                found[first] = made
        return found

    def put(self, instrumented: ast.Module) -> ast.Module:
        """The instrumented tree of the script with all versions: of a statement that has some the one is run for which
        `__shapewright__.version(line, number)` is true, else the script's own."""
        for line in sorted({line for statements in self.found.values() for line in statements}):
            last = self._simple[line][0].end_lineno or line
            place = next(
                (
                    (block, number)
                    for block in blocks(instrumented)
                    for number, one in enumerate(block)
                    if one.lineno == line
                ),
                None,
            )
            if place is None:
                continue
            block, first = place
            count = next(
                (n for n, one in enumerate(block[first:]) if not line <= one.lineno <= last), len(block) - first
            )
            own = block[first : first + count]
            for number, statements in reversed(self.found.items()):
                if line in statements:
                    test = call("version", [ast.Constant(line), ast.Constant(number)])
                    version = alone(statements[line], self.tree, self.arrays)
                    own = [at(own[0], ast.If(test, version, own))]
            block[first : first + count] = own
        return ast.fix_missing_locations(instrumented)


def _statements(node: ast.AST, function: ast.AST | None) -> Iterator[tuple[ast.stmt, ast.AST | None]]:
    """Every statement with the innermost function that it is part of."""
    for child in ast.iter_child_nodes(node):
        inner = node if isinstance(node, FUNCTIONS) else None if isinstance(node, ast.ClassDef) else function
        if isinstance(child, ast.stmt):
            yield child, inner
        if not isinstance(child, ast.expr):
            yield from _statements(child, inner)


def _fits(made: Sequence[ast.stmt], function: ast.AST | None) -> bool:
    """Whether statements may stand in a function beside others without changing what its names mean."""
    parts = [part for statement in made for part in ast.walk(statement)]
    if any(
        isinstance(part, (*YIELDS, *NAMES)) or (isinstance(part, ast.stmt) and hasattr(part, "body")) for part in parts
    ):
        return False
    if function is None:
        return True
    bound = {part.arg for part in ast.walk(function) if isinstance(part, ast.arg)}
    own = [part.target for part in parts if isinstance(part, ast.comprehension)]
    bound |= {part.id for node in (function, *own) for part in ast.walk(node) if _binds(part)}
    return all(part.id in bound for part in parts if _binds(part))


def _binds(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
