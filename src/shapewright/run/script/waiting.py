"""Branches that wait until something has grown to a size, or a count has come to a number: a training that begins once
a memory holds enough, or after so many steps. Syntax only."""

from __future__ import annotations

import ast

from .added import at, call, span
from .branches import PLAIN, walk_scope
from .loops import LEAST_FULL

GROWN = {ast.Gt: "gt", ast.GtE: "ge", ast.Lt: "lt", ast.LtE: "le"}


def awaiting(node: ast.If, test: ast.expr) -> ast.expr:
    """The test of a branch in which each comparison of a size or a count with a number may be answered before its
    time."""
    if isinstance(test, ast.BoolOp):
        test.values = [awaiting(node, part) for part in test.values]
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test.operand = awaiting(node, test.operand)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in GROWN:
        sides = (test.left, test.comparators[0])
        if all(isinstance(side, PLAIN) for side in sides):
            return _counted_to(node, test)
        if not _fills(node, test):
            return _ripe(test)
    return test


def _counted_to(node: ast.If, test: ast.Compare) -> ast.expr:
    """`awaited(where, how, count, number, leaves)` for a test whether a count has come to a number: `step > 10_000`."""
    sides, last = (test.left, test.comparators[0]), node.body[-1]
    numbers = [side.value for side in sides if isinstance(side, ast.Constant)]
    if any(type(number) is not int or number < LEAST_FULL for number in numbers):
        return test
    leaves = isinstance(last, (ast.Return, ast.Continue))
    given = [span(node, node), ast.Constant(GROWN[type(test.ops[0])]), *sides, ast.Constant(leaves)]
    return test if isinstance(last, (ast.Break, ast.Raise)) else at(test, call("awaited", given))


def _ripe(test: ast.Compare) -> ast.expr:
    """`ripe(where, how, size, least)` for a test whether something has grown to a size: `len(memory) > 2000`."""
    left, right, how = test.left, test.comparators[0], GROWN[type(test.ops[0])]
    if not isinstance(left, ast.Call) or not isinstance(right, PLAIN):
        return test
    if isinstance(right, ast.Constant) and right.value in range(LEAST_FULL):  # of the parts of a line
        return test
    sized = len(left.args) == 1 if isinstance(left.func, (ast.Name, ast.Attribute)) else False
    bare = isinstance(left.func, ast.Attribute) and not left.args and not left.keywords
    return at(test, call("ripe", [span(test, test), ast.Constant(how), left, right])) if sized or bare else test


def _fills(node: ast.If, test: ast.Compare) -> bool:
    """Whether a branch taken while something is small makes it grow and goes on: the size is how much it holds at
    most."""
    if not isinstance(test.left, ast.Call) or not isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return False
    sized = test.left.args[0] if len(test.left.args) == 1 else getattr(test.left.func, "value", None)
    if sized is None or isinstance(node.body[-1], (ast.Continue, ast.Break)):
        return False
    kept = (part for part in walk_scope(node.body) if isinstance(part, type(sized)))
    return any(ast.unparse(part) == ast.unparse(sized) for part in kept)
