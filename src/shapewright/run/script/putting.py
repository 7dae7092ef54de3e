"""Which statements of the source put something that may be an array into a container, or walk through several. It
changes nothing."""

from __future__ import annotations

import ast

PUTTING = frozenset({"append", "appendleft"})
FRESH = frozenset(
    {"item", "copy", "clone", "deepcopy", "float", "int", "str", "len", "tolist", "format", "strip", "split"}
)
KEPT = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.Call)
PLAIN = (ast.Constant, ast.Name, ast.Attribute, ast.BinOp, ast.operator, ast.expr_context)


def stores(node: ast.Call) -> bool:
    """Whether a call may store what is no number and no text."""
    named = isinstance(node.func, ast.Attribute) and node.func.attr in PUTTING
    return named and len(node.args) == 1 and not node.keywords and _may_last(node.args[0])


def walks(node: ast.Call) -> bool:
    """Whether a call walks through several things together."""
    return isinstance(node.func, ast.Name) and node.func.id == "zip" and len(node.args) > 1


def places(node: ast.Assign) -> tuple[ast.expr, ast.expr] | None:
    """`(container, place)` of an assignment to an element that may store such a thing, where asking for both again does
    nothing."""
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Subscript) or not _may_last(node.value):
        return None
    plain = all(isinstance(part, PLAIN) for part in (*ast.walk(target.value), *ast.walk(target.slice)))
    return (target.value, target.slice) if plain else None


def _may_last(node: ast.expr) -> bool:
    func = getattr(node, "func", None)
    return isinstance(node, KEPT) and (getattr(func, "attr", "") or getattr(func, "id", "")) not in FRESH


def computed(node: ast.Assign) -> list[ast.expr]:
    """The line, the variable and the column of `table["column"] = call(...)`."""
    target = node.targets[0].elts[0] if isinstance(node.targets[0], ast.Tuple) else node.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return []
    named = isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str)
    calls = named and any(isinstance(part, ast.Call) for part in ast.walk(node.value))
    held = ast.Name(target.value.id, ast.Load())
    return [ast.Constant(node.lineno), held, target.slice] if calls else []


def held(node: ast.Assign) -> list[list[ast.expr]]:
    """The place, the object and the names of its attributes that a statement assigns to."""
    targets = [part for target in node.targets for part in getattr(target, "elts", (target,))]
    names: dict[str, list[ast.expr]] = {}
    for part in targets:
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            names.setdefault(part.value.id, []).append(ast.Constant(part.attr))
    lines: list[ast.expr] = [ast.Constant(node.lineno), ast.Constant(node.end_lineno), ast.Constant(False)]
    return [[ast.Tuple(lines, ast.Load()), ast.Name(holder, ast.Load()), *told] for holder, told in names.items()]
