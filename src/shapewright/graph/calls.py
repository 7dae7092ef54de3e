"""Finds calls in the user's sources by the dotted name that they are written with. Pure: it reads texts and runs
nothing."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from ..trace import Site, Trace


@functools.lru_cache(maxsize=64)
def tree_of(text: str) -> ast.Module | None:
    """The tree of a source text, `None` where it does not parse."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def dotted(node: ast.AST) -> str:
    """`np.random.seed` for the expression, empty where it is no plain dotted name.

    >>> dotted(ast.parse("np.random.seed(1)").body[0].value.func)
    'np.random.seed'
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def calls(trace: Trace) -> Iterator[tuple[str, ast.Call, Site]]:
    """`(dotted name, call, site)` of every call in the user's files, in the order of `ast.walk`."""
    for file, text in trace.sources.items():
        for node in ast.walk(tree_of(text) or ast.Module([], [])):
            if isinstance(node, ast.Call):
                name = dotted(node.func) or (f"?.{node.func.attr}" if isinstance(node.func, ast.Attribute) else "")
                if name:
                    yield name, node, site_of(file, node, text)


def site_of(file: str, node: ast.expr | ast.stmt, text: str) -> Site:
    """The node's span; columns count characters."""
    lines = text.splitlines()
    column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode(errors="ignore")) + 1
    end_line = node.end_lineno or node.lineno
    end = len(lines[end_line - 1].encode()[: node.end_col_offset].decode(errors="ignore")) + 1
    return Site(file, node.lineno, column, end_line, end)


def mentions(trace: Trace, *words: str) -> bool:
    """Whether any user file contains any of the words, in any case."""
    return any(word in text.lower() for text in trace.sources.values() for word in words)
