"""Smaller numbers in place of those that make a script's data large, in its syntax tree alone: the text stays as it is.

A number is told by its line, so that an edited text whose other lines moved has it too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..process.request import Size


def numbers(text: str, value: int) -> Iterator[str]:
    """The lines of `text` that hold the whole number `value` as it is, each once."""
    lines, seen = text.split("\n"), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value == value:
            line = lines[node.lineno - 1]
            if line not in seen:
                seen.add(line)
                yield line


def shrink(tree: ast.Module, text: str, sizes: tuple[Size, ...]) -> None:
    """Put the smaller numbers into `tree`, which was parsed from `text`."""
    lines = text.split("\n") if sizes else []
    smaller = {(size.line, size.old): size.new for size in sizes}
    for node in ast.walk(tree) if sizes else ():
        if isinstance(node, ast.Constant) and type(node.value) is int and node.lineno <= len(lines):
            node.value = smaller.get((lines[node.lineno - 1], node.value), node.value)
