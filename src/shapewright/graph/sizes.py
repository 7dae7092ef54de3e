"""Where an expression says a size: `x.size(1)`, `x.shape`, `len(x)`, and the arguments of a factory call. It reads
syntax trees and nothing else."""

from __future__ import annotations

import ast

from .. import ops
from ..trace import Event
from .scopes import SIZED


def size_read(node: ast.AST) -> tuple[str, int | None]:
    """`("x", 1)` for `x.size(1)` and `x.shape[1]`, `("x", 0)` for `len(x)`, `("x", None)` for a whole `x.shape`."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "size"
        and isinstance(node.func.value, ast.Name)
    ):
        known = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
        return node.func.value.id, known if isinstance(known, int) else None
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
        and isinstance(node.value.value, ast.Name)
    ):
        known = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return node.value.value.id, known if isinstance(known, int) else None
    if isinstance(node, ast.Attribute) and node.attr == "shape" and isinstance(node.value, ast.Name):
        return node.value.id, None
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "len"
        and node.args
        and isinstance(node.args[0], ast.Name)
    ):
        return node.args[0].id, 0
    return "", None


def size_expression(call: ast.AST | None, event: Event, axis: int | None) -> tuple[ast.AST | None, int | None]:
    """Which part of a factory call says the size of an axis: `(expression, element of it)`."""
    if not isinstance(call, ast.Call):
        return None, None
    sized = next((k.value for k in call.keywords if k.arg in SIZED), None)
    if sized is not None:
        return sized, axis
    entry = ops.find(event.op)
    if entry is None or "sized" not in entry.tags:
        return call, None
    first = entry.position("size") or 0
    if entry.parameters[0] == "input":  # a method: what it is called on is no argument
        first -= 1
    arguments = call.args[first:] if entry.rest else call.args[first : first + 1]
    if event.op == "randint":
        arguments = arguments[1:] if len(arguments) < 3 else arguments[2:]
    if len(arguments) == 1:
        return arguments[0], axis
    if (
        arguments
        and axis is not None
        and axis < len(arguments)
        and not any(isinstance(a, ast.Starred) for a in arguments)
    ):
        return arguments[axis], None
    return (ast.Tuple(arguments, ast.Load()), None) if arguments else (call, None)
