"""Which statements of the source change something that the same statement has just made, so that nothing else holds it:
`table[rows][:, 0] = 1`, `weight[places].zero_()`. It changes nothing but adds the calls that watch them."""

from __future__ import annotations

import ast

from .added import at, call, place

OUT = "out"


def watched(node: ast.stmt) -> list[ast.stmt]:
    """The statement with what follows it, where it may change what an expression of its own makes."""
    found = _changed(node)
    if found is None or not hasattr(found[0], "lineno"):
        return [node]
    holder, field, how, function = found
    value = getattr(holder, field) if isinstance(field, str) else holder.args[0]
    prefixes = _prefixes(value)
    if not prefixes:
        return [node]
    where = place(value)
    fresh = _fresh(value)
    for at_place, (outer, name) in enumerate(reversed(prefixes)):
        inner = getattr(outer, name)
        setattr(outer, name, at(inner, call("prefix", [where, ast.Constant(at_place), inner])))
    wrapped = at(value, call("changing", [where, value]))
    if isinstance(field, str):
        setattr(holder, field, wrapped)
    else:
        holder.args[0] = wrapped
    told = [where, ast.Constant(how), ast.Constant(fresh), *function]
    return [node, at(node, ast.Expr(call("changed", told)))]


def _changed(node: ast.stmt) -> tuple[ast.AST, object, str, list[ast.expr]] | None:
    """What holds the expression that is changed, in which field, how it is changed, and the function that does it."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    if len(targets) == 1 and isinstance(targets[0], (ast.Subscript, ast.Attribute)):
        return targets[0], "value", "written", []
    made = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if made is None:
        return None
    for keyword in made.keywords:
        if keyword.arg == OUT:
            return keyword, "value", "called", []
    function = made.func.args[0] if isinstance(made.func, ast.Call) and made.func.args else made.func  # `storing(…)`
    if isinstance(function, ast.Attribute) and _prefixes(function.value):
        return function, "value", "called", []
    if made.args and _plain(made.func) and not isinstance(made.args[0], ast.Starred):
        return made, 0, "called", [made.func]
    return None


def _prefixes(value: ast.expr) -> list[tuple[ast.AST, str]]:
    """Where the expressions stand of which one is made by elements, methods and attributes, the nearest first; none
    where nothing is made."""
    found: list[tuple[ast.AST, str]] = []
    while not _plain(value):
        outer: ast.AST = value.func if isinstance(value, ast.Call) else value
        if not isinstance(outer, (ast.Attribute, ast.Subscript)) or (outer is not value) is isinstance(
            outer, ast.Subscript
        ):
            return found
        found.append((outer, "value"))
        value = outer.value
    return found


def _plain(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _fresh(value: ast.expr) -> bool:
    """Whether a list, or what a dictionary gives for want of an entry, is made here: a slice, a default."""
    if isinstance(value, ast.Subscript):
        return isinstance(value.slice, ast.Slice)
    default = value.args[1] if isinstance(value, ast.Call) and len(value.args) == 2 else None
    return isinstance(default, (ast.List, ast.Dict, ast.Set)) or (isinstance(default, ast.Call) and not default.args)
