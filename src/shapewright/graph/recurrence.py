"""Reads loops of the user's source that carry a discounted sum from step to step.

Pure: it reads syntax trees. It judges nothing.
"""

from __future__ import annotations

import ast

from .source import walk

REVERSALS = frozenset({"flip", "fliplr", "flipud", "reverse", "reversed", "appendleft"})


def summed(loop: ast.For) -> tuple[ast.Assign, str, str, str] | None:
    """`(update, running name, list, how)` where the loop keeps `R = r + gamma * R`; `how` is `append`, `insert` or
    `index`."""
    for node in loop.body:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        name = node.targets[0].id
        if not recursion(node.value, name):
            continue
        for other in loop.body:
            kept = method(other, ("append", "insert"))
            if kept is not None and any(names_in(arg) & {name} for arg in kept[2]):
                holder, how, given = kept
                first = given[0]
                if isinstance(holder, ast.Name) and (
                    how == "append" or (isinstance(first, ast.Constant) and first.value == 0)
                ):
                    return node, name, holder.id, how
            if (
                isinstance(other, ast.Assign)
                and isinstance(other.targets[0], ast.Subscript)
                and isinstance(other.targets[0].value, ast.Name)
                and name in names_in(other.value)
            ):
                index = other.targets[0].slice
                places = index.elts if isinstance(index, ast.Tuple) else [index]
                if any(isinstance(one, ast.Name) and one.id in names_in(loop.target) for one in places):
                    return node, name, other.targets[0].value.id, "index"
    return None


def method(statement: ast.AST, called: tuple[str, ...]) -> tuple[ast.expr, str, list[ast.expr]] | None:
    """`(object, method, arguments)` of a statement that calls one of these methods."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in called:
        return call.func.value, call.func.attr, call.args
    return None


def recursion(value: ast.expr, name: str) -> bool:
    """Whether a value is something of this step plus a discount times the running name; an average, whose new part is
    weighted too, is none."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add):
        return False
    for own, rest in ((value.left, value.right), (value.right, value.left)):
        if name in names_in(own) or not names_in(own) or (isinstance(own, ast.BinOp) and isinstance(own.op, ast.Mult)):
            continue
        if name in names_in(rest) and isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mult):
            numbers = [part.value for part in walk(rest) if isinstance(part, ast.Constant)]
            if names_in(rest) - {name} or any(isinstance(number, float) and 0.3 <= number < 1 for number in numbers):
                return True
    return False


def reverses(node: ast.AST) -> bool:
    """Whether an expression turns a sequence round: `[::-1]`, `reversed(…)`, `.flip(…)`, `range(…, -1)`."""
    if isinstance(node, ast.Slice):
        return node.step is not None and ast.unparse(node.step) == "-1"
    if not isinstance(node, ast.Call):
        return False
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return called in REVERSALS or (called == "range" and len(node.args) == 3 and ast.unparse(node.args[2]) == "-1")


def runs_back(iterable: ast.expr, root: ast.Module) -> bool | None:
    """Whether a loop runs from the last step to the first; `None` where its source does not tell."""
    if any(reverses(part) for part in walk(iterable)):
        return True
    called = getattr(iterable.func, "id", "") if isinstance(iterable, ast.Call) else ""
    if isinstance(iterable, ast.Call) and called in ("enumerate", "zip", "range", "list", "tqdm"):
        unknown = called != "range" and any(runs_back(arg, root) is None for arg in iterable.args)
        return None if unknown else False
    if isinstance(iterable, ast.Name):
        # the list itself may have been filled or turned the other way round
        for node in walk(root):
            if (
                isinstance(node, ast.Assign)
                and any(isinstance(target, ast.Name) and target.id == iterable.id for target in node.targets)
                and any(reverses(part) for part in walk(node.value))
            ):
                return None
            turned = method(node, ("reverse", "insert", "appendleft"))
            if turned is not None and getattr(turned[0], "id", "") == iterable.id:
                return None
        return False
    return False if isinstance(iterable, (ast.Attribute, ast.Subscript)) else None


def turned_elsewhere(root: ast.Module, loop: ast.For) -> bool:
    """Whether anything but the loop's own header turns a sequence round."""
    inside = {id(part) for part in walk(loop.iter)}
    return any(reverses(node) for node in walk(root) if id(node) not in inside)


def names_in(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)} | {
        part.attr for part in walk(node) if isinstance(part, ast.Attribute)
    }


def names_on(loop: ast.For, line: int) -> set[str]:
    """The names that the statements of a loop read on a line."""
    return {
        part.id
        for statement in loop.body
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno)
        for part in walk(statement)
        if isinstance(part, ast.Name)
    }
