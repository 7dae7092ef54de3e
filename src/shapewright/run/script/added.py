"""The calls on the name `__shapewright__` that are added to a user's file, each at the place of what it is added to."""

from __future__ import annotations

import ast

NAME = "__shapewright__"


def place(node: ast.expr) -> ast.Tuple:
    """The first and the last line and column of an expression, as the calls added to it tell them."""
    ends = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    return ast.Tuple([ast.Constant(value) for value in ends], ast.Load())


def span(node: ast.AST, expression: ast.AST) -> ast.expr:
    first = getattr(node, "lineno", expression.lineno)
    return ast.Tuple(
        [ast.Constant(first), ast.Constant(getattr(node, "end_lineno", None) or expression.end_lineno)], ast.Load()
    )


def call(method: str, arguments: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load()), arguments, [])


def at(node: ast.AST, made: ast.AST) -> ast.AST:
    """Give every node of `made` that has no place yet the place of `node`."""
    for part in ast.walk(made):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return made
