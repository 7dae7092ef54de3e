"""The branches of a loop that only some of its iterations take, by the loop's own counter: a loop that is cut jumps to
the first of each. Syntax only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

OPERATORS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)
PLAIN = (ast.Constant, ast.Name, ast.Attribute)
SIMPLE = (*PLAIN, *OPERATORS, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Tuple)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def branches(loop: ast.For) -> Iterator[ast.If | ast.IfExp]:
    """Each plain `if` of the body that reads the loop's counter."""
    target = loop.target
    if isinstance(target, ast.Tuple) and target.elts and isinstance(target.elts[0], ast.Name):
        target = target.elts[0]
    if not isinstance(target, ast.Name):
        return
    for node in walk_scope(loop.body):
        if isinstance(node, (ast.If, ast.IfExp)) and all(isinstance(part, SIMPLE) for part in ast.walk(node.test)):
            if any(isinstance(part, ast.Name) and part.id == target.id for part in ast.walk(node.test)):
                yield node


def needed(tree: ast.Module) -> None:
    """Mark each branch (`needed`) that alone gives a name its value which is read elsewhere: without it a function goes
    nowhere.

    >>> tree = ast.parse("for i in x:\\n    if i % 9 == 0: mean = i\\n    if i > 5: n = 1; print(n)\\nmean + 1")
    >>> needed(tree); [branch.needed for branch in branches(tree.body[0])]
    [True, False]
    """
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
            names = [node for node in walk_scope(scope.body) if isinstance(node, ast.Name)]
            loops = [node for node in walk_scope(scope.body) if isinstance(node, ast.For)]
            for branch in [one for loop in loops for one in branches(loop) if isinstance(one, ast.If)]:
                inside = {id(node) for part in branch.body for node in ast.walk(part)}
                apart = {node.id for node in names if id(node) not in inside and isinstance(node.ctx, ast.Store)}
                read = {node.id for node in names if id(node) not in inside and isinstance(node.ctx, ast.Load)}
                bound = {node.id for node in names if id(node) in inside and isinstance(node.ctx, ast.Store)}
                branch.needed = bool((bound - apart) & read)  # type: ignore[attr-defined]


def walk_scope(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of some statements, without those of functions and classes in them."""
    queue: list[ast.AST] = list(body)
    while queue:
        node = queue.pop(0)
        yield node
        queue.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, SCOPES))
