"""Statements of a script that need what is not here, and without which another run goes on (`Guess.passed`): what they
would have bound, given back or gone through is a `Hole` instead where they fail."""

from __future__ import annotations

import ast

NAME = "__shapewright__"  # what instrumented code calls

SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
HEADED = (ast.For, ast.If)


def statement(tree: ast.AST, line: int) -> ast.stmt | None:
    """The innermost statement at a line that can be passed over; of a loop or a branch that is its first line.

    >>> statement(ast.parse("for x in f(\\n 1):\\n  y = x"), 2).lineno, statement(ast.parse("def f(): 1"), 1).lineno
    (1, 1)
    """
    found: ast.stmt | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            found = node if found is None or node.lineno >= found.lineno else found
    if isinstance(found, HEADED):
        return found if line <= (found.body[0].lineno - 1 or line) or found.body[0].lineno == found.lineno else None
    return found if isinstance(found, SIMPLE) else None


def passing(tree: ast.Module, lines: frozenset[int]) -> ast.Module:
    """The tree, whose statements that begin at some lines are passed over where they fail."""
    return _Passing(lines).visit(tree) if lines else tree


class _Passing(ast.NodeTransformer):
    def __init__(self, lines: frozenset[int]) -> None:
        self.lines = lines

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if not isinstance(node, (*SIMPLE, *HEADED)) or not {node.lineno, -node.lineno} & self.lines:
            return node
        hole = _call("hole", ast.Constant(node.lineno))
        if isinstance(node, (ast.For, ast.If)):
            part = "iter" if isinstance(node, ast.For) else "test"
            value = ast.parse("[][0]", mode="eval").body if -node.lineno in self.lines else getattr(node, part)
            asked = ast.Lambda(ast.arguments([], [], None, [], [], None, []), value)
            setattr(node, part, _call("through" if part == "iter" else "asked", ast.Constant(node.lineno), asked))
            return ast.fix_missing_locations(node)
        if isinstance(node, ast.Assign):
            other: ast.stmt = ast.Assign(node.targets, hole)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            other = ast.Assign([node.target], hole)
        else:
            other = ast.Return(hole) if isinstance(node, ast.Return) else ast.Expr(hole)
        if -node.lineno in self.lines:
            return ast.fix_missing_locations(ast.copy_location(other, node))
        handler = ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [other])
        made = ast.copy_location(ast.Try([node], [handler], [], []), node)
        for part in (handler, other):
            ast.copy_location(part, node)
        return ast.fix_missing_locations(made)


def _call(method: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load()), list(arguments), [])
