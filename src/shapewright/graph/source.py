"""Reads the syntax trees of the user's files: the node, the statement, the function and the text at a site.

It is static and pure: it reads `trace.sources`, runs nothing and imports no torch. Where a name was bound is
`definitions`' business.
"""

from __future__ import annotations

import ast
import functools
import re
from typing import TypeVar

from ..trace import Site, Trace

Kind = TypeVar("Kind", bound=ast.AST)

LONGEST = 64
WHOLE = 10_000  # characters of an expression that is written again
KEPT = 128  # files: more than a project has whose sources are read
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Located = ast.expr | ast.stmt | ast.arg | ast.keyword | ast.excepthandler


@functools.lru_cache(maxsize=KEPT)
def parsed(text: str) -> ast.Module:
    """The syntax tree of a source, whose nodes know their `parent`; an empty module where it is broken."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        tree = ast.Module(body=[], type_ignores=[])
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    return tree


def walk(node: ast.AST) -> tuple[ast.AST, ...]:
    """What `ast.walk` gives, looked for once: nearly every rule asks, and nobody changes these trees."""
    found: tuple[ast.AST, ...] | None = node.__dict__.get("walked")
    if found is None:
        found = node.walked = tuple(ast.walk(node))  # type: ignore[attr-defined]
    return found


@functools.lru_cache(maxsize=KEPT)
def _by_line(text: str) -> dict[int, list[ast.AST]]:
    """The nodes that cover each line."""
    found: dict[int, list[ast.AST]] = {}
    for node in walk(parsed(text)):
        if isinstance(node, Located):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found.setdefault(line, []).append(node)
    return found


@functools.lru_cache(maxsize=KEPT)
def _lines(text: str) -> tuple[bytes, ...]:
    """The lines as the columns of syntax trees count them: in bytes, each with its end."""
    return tuple(line.encode() for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", text))


@functools.lru_cache(maxsize=KEPT)
def _split(text: str) -> list[str]:
    return text.split("\n")


def _segment(text: str, node: ast.AST) -> str:
    """What `ast.get_source_segment` gives, the text split once for all nodes."""
    if not isinstance(node, Located) or node.end_lineno is None or node.end_col_offset is None:
        return ""
    parts = list(_lines(text)[node.lineno - 1 : node.end_lineno])
    if not parts:
        return ""
    parts[-1] = parts[-1][: node.end_col_offset]
    parts[0] = parts[0][node.col_offset :]
    return b"".join(parts).decode(errors="replace")


@functools.lru_cache(maxsize=4096)
def _node_at(text: str, site: Site, kinds: tuple[type[ast.AST], ...]) -> ast.AST | None:
    lines = _split(text)
    begin = (site.line, _byte(lines, site.line, site.column))
    end = (site.end_line or site.line, _byte(lines, site.end_line or site.line, site.end_column or site.column))
    best: ast.AST | None = None
    best_size: tuple[int, int] | None = None
    for node in _by_line(text).get(site.line, ()):
        if not isinstance(node, kinds) or not isinstance(node, Located):
            continue
        first, last = _begin(node), _end(node)
        if first <= begin and last >= end:
            size = (last[0] - first[0], last[1] - first[1] if last[0] == first[0] else last[1])
            if best_size is None or size < best_size or (size == best_size and first == begin and last == end):
                best, best_size = node, size
    return best


class Source:
    """The user's sources of one trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def tree(self, file: str) -> ast.Module:
        """The syntax tree of a file; an empty module where it is unknown or broken. Every node knows its `parent`."""
        return parsed(self.trace.sources.get(file, ""))

    def nodes(self, file: str) -> tuple[ast.AST, ...]:
        """Every node of a file."""
        return walk(self.tree(file))

    def _covering(self, file: str, line: int) -> list[ast.AST]:
        return _by_line(self.trace.sources.get(file, "")).get(line, [])

    def call_at(self, site: Site | None) -> ast.Call | None:
        """The call with the site's span, else the smallest that covers it."""
        found = self.node_at(site, (ast.Call,))
        return found if isinstance(found, ast.Call) else None

    def node_at(self, site: Site | None, kinds: tuple[type[ast.AST], ...] = (ast.expr,)) -> ast.AST | None:
        """The node of `kinds` with exactly the site's span, else the smallest that covers it, else `None`."""
        return _node_at(self.trace.sources.get(site.file, ""), site, kinds) if site is not None else None

    def spanned(self, site: Site | None, *kinds: type[Kind]) -> Kind | None:
        """The node of `kinds` with exactly the site's span, else `None`."""
        node = self.node_at(site, kinds)
        exact = site is not None and isinstance(node, kinds) and self.site(node, site.file).spans(site)
        return node if exact and isinstance(node, kinds) else None

    def statement_at(self, site: Site | None) -> ast.stmt | None:
        """The innermost statement that covers the site."""
        found = self.node_at(site, (ast.stmt,))
        return found if isinstance(found, ast.stmt) else None

    def text(self, node: ast.AST | None, file: str, longest: int = LONGEST) -> str:
        """The short source of a node, on one line."""
        if node is None:
            return ""
        found = _segment(self.trace.sources.get(file, ""), node)
        found = " ".join(found.split()).replace("( ", "(").replace(", )", ")").replace(" )", ")")
        return found if len(found) <= longest else found[: longest - 1].rstrip() + "…"

    def whole(self, node: ast.AST | None, file: str) -> str:
        """The source of a node that is written again, on one line."""
        return self.text(node, file, WHOLE)

    def site_text(self, site: Site | None) -> str:
        """The short source at a site; a site without columns gives the value of its statement."""
        if site is None:
            return ""
        if site.end_column <= 1:
            statement = self.statement_on(site.file, site.line)
            node = getattr(statement, "value", None) or getattr(statement, "iter", None) or statement
            if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.If, ast.For, ast.While, ast.With)):
                return self.line(site.file, site.line)
        else:
            node = self.node_at(site)
        return self.text(node, site.file) or self.line(site.file, site.line)

    def line(self, file: str, line: int) -> str:
        """One source line without its indentation."""
        lines = self.trace.sources.get(file, "").split("\n")
        found = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return found if len(found) <= LONGEST else found[: LONGEST - 1].rstrip() + "…"

    def statement_on(self, file: str, line: int) -> ast.stmt | None:
        """The statement that begins on a line, else the smallest that covers it."""
        best: ast.stmt | None = None
        for node in self._covering(file, line):
            if isinstance(node, ast.stmt):
                if best is None or (node.lineno >= best.lineno and _end(node)[0] <= _end(best)[0]):
                    best = node
        return best

    def site(self, node: ast.AST, file: str) -> Site:
        """The site of a node that has a place."""
        return site_of(file, node, self.trace.sources.get(file, ""))

    def bound_before(self, site: Site, name: str) -> ast.Assign | None:
        """The last assignment of a name, alone or among others, above a site, in the same function or at the top of the
        file."""
        found = None
        function = self.function_at(site)
        for node in self.nodes(site.file):
            if isinstance(node, ast.Assign) and node.lineno <= site.line:
                own = any(isinstance(one, ast.Name) and one.id == name for part in node.targets for one in _parts(part))
                around = self.function_at(self.site(node, site.file)) if own else None
                if own and around is function and (found is None or node.lineno > found.lineno):
                    found = node
        return found

    def function_at(self, site: Site) -> Function | None:
        """The innermost function whose body holds the site's line, of the site's function name where that is known."""
        best: Function | None = None
        for node in self._covering(site.file, site.line):
            if isinstance(node, Function):
                if site.function and site.function.startswith("<") is False and node.name != site.function:
                    continue
                if best is None or node.lineno >= best.lineno:
                    best = node
        return None if site.function == "<module>" else best


def site_of(file: str, node: ast.AST, text: str) -> Site:
    """The span of a node in its source; columns count characters."""
    if not isinstance(node, Located):
        return Site(file, 1)
    lines = _split(text)
    return Site(
        file,
        node.lineno,
        _character(lines, node.lineno, node.col_offset),
        _end(node)[0],
        _character(lines, *_end(node)),
    )


def _parts(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]


def _begin(node: Located) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Located) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _byte(lines: list[str], line: int, column: int) -> int:
    """The UTF-8 offset of a character column (from 1)."""
    if not 0 < line <= len(lines) or lines[line - 1].isascii():
        return max(0, column - 1)
    return len(lines[line - 1][: max(0, column - 1)].encode())


def _character(lines: list[str], line: int, offset: int) -> int:
    if not 0 < line <= len(lines) or lines[line - 1].isascii():
        return offset + 1
    return len(lines[line - 1].encode()[:offset].decode(errors="ignore")) + 1
