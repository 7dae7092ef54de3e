"""Tells from its text whether a loop carries something from step to step and does nothing more. It judges nothing."""

from __future__ import annotations

import ast

FILLING = frozenset({"append", "insert", "extend"})
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
REFUSED = (*SCOPES, ast.Yield, ast.YieldFrom, ast.Await, ast.Return, ast.Import, ast.ImportFrom, ast.With, ast.Delete)


def replayable(node: ast.For) -> bool:
    """Whether a loop fills something with what it carries from step to step, and its text shows nothing more."""
    parts = [part for part in ast.walk(node) if part is not node]
    if any(isinstance(part, (*REFUSED, ast.For, ast.While)) for part in parts):
        return False
    filled = any(isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) for part in parts)
    filled = filled or any(isinstance(part, ast.Attribute) and part.attr in FILLING for part in parts)
    return filled and any(_carries(part) for part in parts)


def _carries(part: ast.AST) -> bool:
    """Whether a statement reads what it binds."""
    if isinstance(part, ast.AugAssign):
        return isinstance(part.op, ast.Mult)
    bound = {_base(target) for target in part.targets} - {""} if isinstance(part, ast.Assign) else set()
    return isinstance(part, ast.Assign) and any(
        _base(inner) in bound for inner in ast.walk(part.value) if isinstance(inner, (ast.Name, ast.Subscript))
    )


def _base(node: ast.expr) -> str:
    """The variable, or what holds the element, that an expression names."""
    return ast.unparse(node.value if isinstance(node, ast.Subscript) else node)
