"""Finds calls in the user's sources by the dotted name that they are written with. Pure: it reads texts and runs
nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..trace import Site, Trace
from .source import parsed, site_of, walk


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
        for node in walk(parsed(text)):
            if isinstance(node, ast.Call):
                name = dotted(node.func) or (f"?.{node.func.attr}" if isinstance(node.func, ast.Attribute) else "")
                if name:
                    yield name, node, site_of(file, node, text)


def mentions(trace: Trace, *words: str) -> bool:
    """Whether any user file contains any of the words, in any case."""
    return any(word in text.lower() for text in trace.sources.values() for word in words)
