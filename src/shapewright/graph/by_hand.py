"""Metrics that the user's text computes itself, known by their form: one minus errors over a spread, the diagonal of a
table of counts over its sums. Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..trace import Site, Trace
from .calls import dotted, every
from .scopes import argument_of, assignments, enclosing, parameters_of
from .source import Function, Source, walk


def spreads(trace: Trace) -> Iterator[tuple[Site, ast.expr, ast.expr]]:
    """`(site, a, b)` of every `1 - errors / spread`: the errors are those of `a` and `b`, the spread is that of `a`
    about its own mean."""
    source = Source(trace)
    for node, site in every(trace, ast.BinOp):
        below = node.right
        one = isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Constant) and node.left.value == 1
        if not one or not isinstance(below, ast.BinOp) or not isinstance(below.op, ast.Div):
            continue
        errors, spread = (_resolved(source, part, site.file) for part in (below.left, below.right))
        apart = next((part for part in walk(errors) if _is_difference(part)), None)
        own = next((part for part in map(_centred, walk(spread)) if part is not None), None)
        if isinstance(apart, ast.BinOp) and own is not None:
            sides = {ast.unparse(part): part for part in (apart.left, apart.right)}
            first = sides.pop(ast.unparse(own), None)
            if first is not None and len(sides) == 1:
                at = (
                    source.site(spread, site.file) if spread is not below.right else source.site(below.right, site.file)
                )
                yield at, first, next(iter(sides.values()))


def arguments(trace: Trace, node: ast.expr, file: str) -> list[ast.expr]:
    """What an expression is at the calls of the function around it, where it is one of its parameters; else itself."""
    function = enclosing(node)
    if function is None or not isinstance(node, ast.Name) or node.id not in parameters_of(function):
        return [node]
    return [part for call, _ in calls_of(trace, function, file) if (part := argument_of(call, function, node.id))]


def calls_of(trace: Trace, function: Function, file: str) -> Iterator[tuple[ast.Call, Site]]:
    """`(call, site)` of every call in a file of what has a function's name."""
    for call, site in every(trace, ast.Call):
        if site.file == file and dotted(call.func).rpartition(".")[2] == function.name:
            yield call, site


def _resolved(source: Source, node: ast.expr, file: str) -> ast.expr:
    """An expression, or the only one that its name is bound to."""
    scopes = [scope for scope in (enclosing(node), source.tree(file)) if scope is not None]
    bound = next((made for scope in scopes if (made := list(assignments(scope, getattr(node, "id", ""))))), [])
    return bound[0][1] if len(bound) == 1 and bound[0][2] is None else node


def _is_difference(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _centred(node) is None


def _centred(node: ast.AST) -> ast.expr | None:
    """What a difference takes its own mean from, or what a variance is that of."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        for side, mean in ((node.left, node.right), (node.right, node.left)):
            if any(ast.unparse(part) == ast.unparse(side) for part in _averaged(mean, "mean")):
                return side
        return None
    return next(iter(_averaged(node, "var")), None)


def _averaged(node: ast.AST, name: str) -> list[ast.expr]:
    """What a mean, or a variance, is taken of: `x.mean()`, `np.mean(x)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != name:
        return []
    return [*node.args[:1], node.func.value] if node.args else [node.func.value]
