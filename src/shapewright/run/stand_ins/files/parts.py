"""What the parts of a divided line are, as a source uses them: numbers, or names of files. It reads syntax only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

NUMBERS = {"int": "int", "float": "float", "eval": "int"}
DIVIDED = frozenset({"split", "rsplit"})
PATHS = frozenset({"join", "open", "imread", "read_image", "isfile", "exists"})


def parts(tree: ast.AST) -> dict[int, str]:
    """The kind of each part of a line that is no word, by its place: `int`, `float` or `path`.

    >>> parts(ast.parse("rows = [(join(root, i.split()[0]), int(i.split()[2])) for i in lines]"))
    {0: 'path', 2: 'int'}
    >>> parts(ast.parse("name, label = line.split(','); open(name); y = float(label)"))
    {0: 'path', 1: 'float'}
    """
    found: dict[int, str] = {}
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
            rows, named = _named(scope)
            for node in _within(scope):
                if isinstance(node, ast.Call) and node.args and (kind := _kind(node.func)):
                    for given in node.args if kind == "path" else node.args[:1]:
                        if (place := _place(given, rows, named)) is not None:
                            found.setdefault(place, kind)
    return dict(sorted(found.items()))


def _named(scope: ast.AST) -> tuple[set[str], dict[str, int]]:
    """The names of the parts of a line together, and those of single parts with their places."""
    rows: set[str] = set()
    named: dict[str, int] = {}
    for node in _within(scope):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
        elif isinstance(node, (ast.For, ast.comprehension)) and _called(node.iter) == "reader":
            target, value = node.target, node.iter
        else:
            continue
        if isinstance(value, ast.Subscript) and isinstance(target, ast.Name):  # `label = row[1]`
            place = _place(value, rows, named)
            if place is not None:
                named[target.id] = place
        elif _called(value) in DIVIDED or _called(value) == "reader":
            if isinstance(target, ast.Name):
                rows.add(target.id)
            elif isinstance(target, ast.Tuple):
                named |= {part.id: at for at, part in enumerate(target.elts) if isinstance(part, ast.Name)}
    return rows, named


def _place(node: ast.AST, rows: set[str], named: dict[str, int]) -> int | None:
    """Which part of a line something is, `None` where it is none."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:  # `part.strip()`
        node = node.func.value
    if isinstance(node, ast.BinOp):
        return next((at for side in (node.left, node.right) if (at := _place(side, rows, named)) is not None), None)
    if isinstance(node, ast.Name):
        return named.get(node.id)
    if not isinstance(node, ast.Subscript) or not isinstance(at := _constant(node.slice), int):
        return None
    known = getattr(node.value, "id", "") in rows or _called(node.value) in DIVIDED
    return at if known and -1 <= at < 64 else None


def _kind(func: ast.expr) -> str:
    name = getattr(func, "attr", getattr(func, "id", ""))
    return "path" if name in PATHS else NUMBERS.get(name, "") if isinstance(func, ast.Name) else ""


def _called(node: ast.AST) -> str:
    func = node.func if isinstance(node, ast.Call) else None
    return getattr(func, "attr", getattr(func, "id", ""))


def _constant(node: ast.expr) -> object:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value if isinstance(node.operand.value, int) else None
    return getattr(node, "value", None)


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope in the order of the text, without those of functions inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
            yield from _within(child)
