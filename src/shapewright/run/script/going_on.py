"""Cells of a notebook that failed for its author: what comes after them is run all the same (`Guess.beyond`). Functions
that read what is not here: what calls them is (`Guess.unread`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

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
