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


def shares(trace: Trace) -> Iterator[tuple[Site, str, int, ast.expr, ast.expr]]:
    """`(site, name, axis, a, b)` of every named diagonal of a table that is divided by its sums over an axis: the rows
    of the table count `a`, its columns `b`."""
    source = Source(trace)
    for node, site in every(trace, ast.BinOp):
        named = _named(node) if isinstance(node.op, ast.Div) else ""
        if not named:
            continue
        above, below = (_resolved(source, part, site.file) for part in (node.left, node.right))
        table = next((part for call in walk(above) for part in _given(call, "diag", "diagonal")), None)
        summed = next((call for call in walk(below) if table is not None and _sums(call, table)), None)
        axis = _axis(summed) if isinstance(summed, ast.Call) else None
        if table is None or axis not in (0, 1, -1, -2):
            continue
        for rows, columns in _counted(source, table, site.file):
            yield site, named, axis % 2, rows, columns


def _named(node: ast.AST) -> str:
    """The name that what an expression makes is given, by an assignment or as a keyword."""
    while (outer := getattr(node, "parent", None)) is not None and not isinstance(outer, ast.FunctionDef):
        if isinstance(outer, ast.Assign) and len(outer.targets) == 1:
            return dotted(outer.targets[0])
        if isinstance(outer, (ast.Tuple, ast.stmt)):
            return ""
        if isinstance(outer, ast.keyword):
            return outer.arg or ""
        node = outer
    return ""


def _given(node: ast.AST, *names: str) -> list[ast.expr]:
    """What a call of one of these names is given, as its first argument or as the object whose method it is."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in names:
        return []
    own = isinstance(node.func.value, ast.Name) and (not node.args or not isinstance(node.args[0], ast.Name))
    return [node.func.value] if own or not node.args else node.args[:1]


def _sums(node: ast.AST, table: ast.expr) -> bool:
    return any(ast.unparse(part) == ast.unparse(table) for part in _given(node, "sum"))


def _axis(call: ast.Call) -> int | None:
    """The one axis that a sum names."""
    places = [one.value for one in call.keywords if one.arg in ("axis", "dim")]
    places = places or [one for one in call.args[-1:] if not isinstance(one, ast.Name)]
    try:
        value = ast.literal_eval(places[0]) if places else None
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def _counted(source: Source, table: ast.expr, file: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What the rows and the columns of a table count: `table[a, b] += 1`, or scikit-learn's table of `(a, b)`."""
    name, found = dotted(table).rpartition(".")[2], source.nodes(file)
    for node in found:
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            index = node.target.slice
            if dotted(node.target.value).rpartition(".")[2] == name and isinstance(index, ast.Tuple):
                if len(index.elts) == 2:
                    yield _zipped(index.elts[0]), _zipped(index.elts[1])
        elif isinstance(node, ast.Assign) and any(dotted(one).rpartition(".")[2] == name for one in node.targets):
            made = node.value
            if isinstance(made, ast.Call) and dotted(made.func).rpartition(".")[2] == "confusion_matrix":
                if len(made.args) > 1:
                    yield made.args[0], made.args[1]


def _zipped(node: ast.expr) -> ast.expr:
    """What a name of a loop over `zip(...)` runs over; the expression itself otherwise."""
    inner = node
    while isinstance(inner, ast.Call) and len(inner.args) < 2:
        inner = inner.args[0] if inner.args else inner.func.value if isinstance(inner.func, ast.Attribute) else node
        if inner is node:
            return node
    outer = getattr(node, "parent", None)
    while outer is not None and isinstance(inner, ast.Name):
        if isinstance(outer, ast.For) and isinstance(outer.target, ast.Tuple) and isinstance(outer.iter, ast.Call):
            names = [getattr(part, "id", "") for part in outer.target.elts]
            if inner.id in names and len(outer.iter.args) == len(names):
                return outer.iter.args[names.index(inner.id)]
        outer = getattr(outer, "parent", None)
    return node
