"""Cells of a notebook that failed for its author: what comes after them is run all the same (`Guess.beyond`)."""

from __future__ import annotations

import ast
from collections.abc import Sequence

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
