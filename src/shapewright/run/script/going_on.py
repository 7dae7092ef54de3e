"""Cells of a notebook that failed for its author: what comes after them is run all the same (`Guess.beyond`). Functions
that read what is not here: what calls them is (`Guess.unread`). Lines that fail for what a cut left out: what comes
after them is (`RunRequest.passing`)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence

from .added import NAME

HANDLED = "try:\n    pass\nexcept Exception:\n    __shapewright__.passed({line})"


def going_on(tree: ast.Module, failing: Sequence[range]) -> ast.Module:
    """The tree, in which the statements of some lines that fail are told and end there.

    >>> print(ast.unparse(going_on(ast.parse("a = 1\\nb = c\\nd = 2"), [range(2, 3)])))
    a = 1
    try:
        b = c
    except Exception:
        __shapewright__.passed(2)
    d = 2
    """
    for lines in failing:
        inside = [node for node in tree.body if node.lineno in lines]
        if not inside:
            continue
        first, at = inside[0], tree.body.index(inside[0])
        whole = ast.parse(HANDLED.format(line=first.lineno)).body[0]
        for node in ast.walk(whole):
            ast.copy_location(node, first)
        whole.body = inside  # type: ignore[attr-defined]
        tree.body[at : at + len(inside)] = [whole]
    return tree


def without(tree: ast.Module, unread: Sequence[str]) -> ast.Module:
    """The tree, in which the functions of some qualified names go on where they cannot read.

    >>> print(ast.unparse(without(ast.parse("class A:\\n    def load(self): pass"), ["A.load()"])))
    class A:
    <BLANKLINE>
        @__shapewright__.reads('A.load()')
        def load(self):
            pass
    """
    for node, name in _functions(tree, "") if unread else ():
        if f"{name}()" in unread:
            hook = ast.parse(f"__shapewright__.reads({name + '()'!r})", mode="eval").body
            for part in ast.walk(hook):
                ast.copy_location(part, node)
            node.decorator_list.append(hook)
    return tree


def _functions(node: ast.AST, within: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if isinstance(child, ast.FunctionDef):
                yield child, within + child.name
            yield from _functions(child, f"{within}{child.name}.<locals>.")
        else:
            yield from _functions(child, f"{within}{child.name}." if isinstance(child, ast.ClassDef) else within)


PASSED = "try:\n    pass\nexcept Exception:\n    __shapewright__.passed_over({line})"


def passing(tree: ast.Module, lines: Sequence[int]) -> ast.Module:
    """The tree, in which the innermost statement of each of some lines is told where it fails; what it binds is 0 then.

    >>> print(ast.unparse(passing(ast.parse("def f(n):\\n    a = 1 / n\\n    return a"), [2])))
    def f(n):
        try:
            a = 1 / n
        except Exception:
            __shapewright__.passed_over(2)
            a = 0.0
        return a
    """
    for line in lines:
        if (found := _innermost(tree, line)) is not None:
            body, at = found
            whole = ast.parse(PASSED.format(line=line)).body[0]
            assert isinstance(whole, ast.Try)
            whole.body = [body[at]]
            targets = body[at].targets if isinstance(body[at], ast.Assign) else []
            names = [part.id for target in targets for part in ast.walk(target) if _is_bound(part)]
            whole.handlers[0].body += ast.parse("".join(f"{name} = 0.0\n" for name in names)).body
            for node in ast.walk(whole):
                if not hasattr(node, "lineno") or node is whole or node in whole.handlers:
                    ast.copy_location(node, body[at])
            for node in (part for step in whole.handlers[0].body for part in ast.walk(step)):
                ast.copy_location(node, body[at])
            body[at] = whole
    return tree


EARLY = "try:\n    pass\nexcept Exception:\n    if not __shapewright__.early(0, {line}):\n        raise"


def early(body: list[ast.stmt], span: ast.expr) -> ast.Try:
    """The statements of a branch that a cut loop takes before its time: where they fail for want of what would have
    come before, they end there.

    >>> print(ast.unparse(early(ast.parse("plot(kept[-1])").body, ast.parse("(3, 3)", mode="eval").body)))
    try:
        plot(kept[-1])
    except Exception:
        if not __shapewright__.early((3, 3), 1):
            raise
    """
    whole = ast.parse(EARLY.format(line=body[0].lineno)).body[0]
    assert isinstance(whole, ast.Try)
    for node in (part for handler in whole.handlers for part in ast.walk(handler)):
        ast.copy_location(node, body[0])
    asks = next(part for part in ast.walk(whole.handlers[0]) if isinstance(part, ast.Call))
    asks.args[0] = span
    whole.body = body
    return whole


def _innermost(node: ast.AST, line: int) -> tuple[list[ast.stmt], int] | None:
    """Where the innermost statement of a line is: the statements that it is one of, and its place among them."""
    blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody", "handlers", "cases")]
    for block in (one for one in blocks if isinstance(one, list)):
        places = [at for at, inner in enumerate(block) if _lines(inner)[0] <= line <= _lines(inner)[1]]
        for at in sorted(places, key=lambda at: _lines(block[at])[1] - _lines(block[at])[0]):  # hooks span functions
            if (found := _innermost(block[at], line)) is not None:
                return found
            if isinstance(block[at], ast.stmt) and not isinstance(block[at], (ast.FunctionDef, ast.ClassDef)):
                if not _is_added(block[at]):
                    return block, at
    return None


def _is_added(node: ast.stmt) -> bool:
    """Whether a statement is none of the user's: it notes what another bound, and has its lines."""
    hook = getattr(getattr(node, "value", None), "func", None) if isinstance(node, ast.Expr) else None
    return getattr(getattr(hook, "value", None), "id", "") == NAME


def _lines(node: ast.AST) -> tuple[int, int]:
    first = getattr(node, "lineno", 0)
    return first, getattr(node, "end_lineno", None) or sys.maxsize


def _is_bound(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
