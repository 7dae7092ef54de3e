"""Quotients as Python 2 had them: of two integers an integer (`Guess.second`)."""

from __future__ import annotations

import ast


def divided(tree: ast.Module) -> ast.Module:
    """The tree, in which each `/` tells a hook what it divides; as it is where the text itself asks for the present
    quotient.

    >>> print(ast.unparse(divided(ast.parse("a = b / c; n /= 2; x = y / 2.0"))))
    a = __shapewright__.quotient(b, c)
    n = __shapewright__.quotient(n, 2)
    x = y / 2.0
    """
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            if any(alias.name == "division" for alias in node.names):
                return tree
    return ast.fix_missing_locations(_Divided().visit(tree))


class _Divided(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        fraction = any(isinstance(one, ast.Constant) and type(one.value) is float for one in (node.left, node.right))
        return _quotient(node, node.left, node.right) if isinstance(node.op, ast.Div) and not fraction else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        return ast.copy_location(ast.Assign([node.target], _quotient(node, read, node.value)), node)


def _quotient(node: ast.AST, left: ast.expr, right: ast.expr) -> ast.expr:
    made = ast.parse("__shapewright__.quotient()", mode="eval").body
    for part in ast.walk(made):
        ast.copy_location(part, node)
    assert isinstance(made, ast.Call)
    made.args = [left, right]
    return made
