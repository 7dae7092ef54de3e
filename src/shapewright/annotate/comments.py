"""Shapes as comments at the ends of lines: `logits = model(x)  # (batch, 10)`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Mapping

from ..graph.bound import Reading
from .symbols import Symbols

WRITTEN = re.compile(r"^# (?:\w+ )?\((?:[\w+*-]+(?:, [\w+*-]+)*,?)?\)(?: · \w+ \((?:[\w+*-]+(?:, [\w+*-]+)*,?)?\))*$")
WIDEST = 120


def wanted(reading: Reading) -> dict[int, str]:
    """The comment of each line that ends a statement which bound tensors; scalars are left out."""
    symbols = Symbols(reading.bound)
    ends = _ends(reading.text)
    by_line: dict[int, list[tuple[str, str]]] = {}
    for bound in reading.bound:
        line = ends.get(bound.line)
        if line is not None and bound.axes:
            by_line.setdefault(line, []).append((bound.name, f"({', '.join(symbols.shape(bound))})"))
    return {
        line: "# " + (told[0][1] if len(told) == 1 else " · ".join(f"{name} {shape}" for name, shape in told))
        for line, told in by_line.items()
    }


def annotated(reading: Reading) -> str:
    """The text with the comments; one that stands there already is replaced, any other comment is left as it is."""
    lines = reading.text.splitlines(keepends=True)
    present = _comments(reading.text)
    for line, comment in wanted(reading).items():
        row = lines[line - 1]
        body, end = row.rstrip("\r\n"), row[len(row.rstrip("\r\n")) :]
        if line in present:
            column, old = present[line]
            if not WRITTEN.match(old):
                continue
            body = body[:column].rstrip()
        if len(body) + 2 + len(comment) <= WIDEST:
            lines[line - 1] = f"{body}  {comment}{end}"
    return "".join(lines)


def stale(reading: Reading) -> Mapping[int, tuple[str, str]]:
    """The lines whose written shape is not the observed one: what is written and what was seen."""
    present, seen = _comments(reading.text), wanted(reading)
    return {
        line: (old, seen[line])
        for line, (_, old) in present.items()
        if line in seen and WRITTEN.match(old) and old != seen[line]
    }


def _comments(text: str) -> dict[int, tuple[int, str]]:
    """Comments behind code, by line: the column from 0 and the comment."""
    found = {}
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        line, column = token.start
        if token.type == tokenize.COMMENT and lines[line - 1][:column].strip():
            found[line] = (column, token.string)
    return found


def _ends(text: str) -> dict[int, int]:
    """For the first line of each simple statement its last, for a `for` or `with` the line that ends its head, where
    nothing but a comment may follow."""
    ends: dict[int, int] = {}
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.For, ast.With)) and node.body:
            head = node.iter if isinstance(node, ast.For) else node.items[-1].context_expr
            last = head.end_lineno or node.lineno
            if node.body[0].lineno > last:
                ends[node.lineno] = last
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            ends[node.lineno] = node.end_lineno or node.lineno
    strings = _inside_strings(text)
    return {
        first: last
        for first, last in ends.items()
        if last not in strings and not lines[last - 1].rstrip().endswith("\\")
    }


def _inside_strings(text: str) -> set[int]:
    """Lines that end within a string of several lines."""
    inside: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.start[0] < token.end[0]:
            inside.update(range(token.start[0], token.end[0]))
    return inside
