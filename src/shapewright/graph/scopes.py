"""What one scope of the user's code binds: assignments of a name, parameters, defaults, what stands around a node.

Pure: syntax trees in, syntax trees out. Nodes know their `parent`, as those of `source` do.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from .source import FUNCTIONS, Function, walk

SIZED = frozenset({"size", "shape"})  # what a tensor tells its sizes by, and what a factory is given them as
READS = SIZED | {"ndim", "dim", "numel", "item", "device", "dtype", "tolist", "to"}
OWNERS = frozenset({"self", "torch", "nn", "np", "F", "numpy"})  # what is called on these gives no value of its own
RECEIVERS = frozenset({"self", "cls"})  # what a method is called on, among its parameters
SEVERAL = (ast.Tuple, ast.List)  # targets, or values, of one statement
Assigned = tuple[ast.stmt, ast.expr, int | None]  # statement, value, position in a tuple


def leaves(expression: ast.AST) -> Iterator[ast.AST]:
    """The names, attributes and string subscripts that give an expression its value, left to right; never what is
    called."""
    if isinstance(expression, (ast.Name, ast.Attribute)):
        if isinstance(expression, ast.Attribute) and expression.attr in READS:
            return
        yield expression
        return
    if isinstance(expression, ast.Subscript):
        if isinstance(expression.slice, ast.Constant) and isinstance(expression.slice.value, str):
            yield expression
        else:
            yield from leaves(expression.value)
        return
    if isinstance(expression, ast.Call):
        if isinstance(expression.func, ast.Attribute) and expression.func.attr in READS:
            return
        if isinstance(expression.func, ast.Name) and expression.func.id == "len":
            return
        if isinstance(expression.func, ast.Attribute) and not isinstance(expression.func.value, ast.Name):
            yield from leaves(expression.func.value)
        elif isinstance(expression.func, ast.Attribute) and getattr(expression.func.value, "id", "self") not in OWNERS:
            yield expression.func.value
        for part in (*expression.args, *(keyword.value for keyword in expression.keywords)):
            yield from leaves(part)
        return
    if isinstance(expression, (ast.Lambda, ast.ListComp, ast.GeneratorExp)):
        return
    for child in ast.iter_child_nodes(expression):
        yield from leaves(child)


def reads_size(value: ast.AST) -> bool:
    """Whether a value is the size of some tensor: what bound that tensor is the walk's business, not this one's."""
    return any(isinstance(part, ast.Attribute) and part.attr in SIZED for part in walk(value))


def assignments(scope: ast.AST, name: str) -> Iterator[Assigned]:
    """`(statement, value, position in a tuple)` for each binding of `name` in one scope, in order of lines."""
    return iter(_bindings(scope).get(name, ()))


@functools.lru_cache(maxsize=512)
def _bindings(scope: ast.AST) -> dict[str, list[Assigned]]:
    """The bindings of every name in one scope, in order of lines."""
    found: dict[str, list[Assigned]] = {}

    def note(name: str, node: ast.stmt, value: ast.expr, part: int | None) -> None:
        if name:
            found.setdefault(name, []).append((node, value, part))

    queue: list[ast.AST] = list(ast.iter_child_nodes(scope))
    while queue:
        node = queue.pop(0)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        queue = [*ast.iter_child_nodes(node), *queue]
        if isinstance(node, ast.Assign):
            for target in node.targets:
                note(target_name(target), node, node.value, None)
                for at, part in enumerate(target.elts) if isinstance(target, SEVERAL) else ():
                    note(target_name(part), node, node.value, at)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            note(target_name(node.target), node, node.value, None)
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
            and node.value.args
        ):
            if node.value.func.attr in ("append", "extend", "insert"):
                note(target_name(node.value.func.value), node, node.value.args[-1], None)
        elif isinstance(node, ast.For):
            for name in dict.fromkeys(target_name(part) for part in walk(node.target)):
                note(name, node, node.iter, None)
    return {name: sorted(all_of, key=lambda one: one[0].lineno) for name, all_of in found.items()}


def pairs(statement: ast.AST | None) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target of an assignment with what it is bound to: of `a, b = 1, 2` both by themselves."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, SEVERAL) and isinstance(statement.value, SEVERAL):
                yield from zip(target.elts, statement.value.elts)
            else:
                yield target, statement.value


def target_name(target: ast.AST) -> str:
    """The name, or the attribute of `self`, that a target is."""
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
        return f"self.{target.attr}"
    return ""


def targets(statement: ast.stmt) -> list[str]:
    """The names that a statement binds."""
    bound = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", statement)]
    return [part.id for target in bound for part in walk(target) if isinstance(part, ast.Name)]


def parameters(function: Function) -> tuple[ast.arg, ...]:
    """The parameters of a function that have names of their own, in their order."""
    return (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)


def parameters_of(function: Function) -> list[str]:
    """The names of a function's parameters."""
    return [one.arg for one in parameters(function)]


def argument_of(call: ast.Call, function: Function, name: str) -> ast.expr | None:
    """What a call passes for a parameter; `None` where it leaves it out."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    if names and names[0] in RECEIVERS:
        names = names[1:]
    if name in names:
        position = names.index(name)
        if position < len(call.args) and not any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
            return call.args[position]
    return None


def default_of(function: Function, name: str) -> ast.expr | None:
    """A parameter's default."""
    arguments = function.args
    names = [*arguments.posonlyargs, *arguments.args]
    for argument, default in zip(reversed(names), reversed(arguments.defaults)):
        if argument.arg == name:
            return default
    return next(
        (default for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if argument.arg == name),
        None,
    )


def around(node: ast.AST | None) -> Iterator[ast.AST]:
    """The nodes around a node, innermost first."""
    inner: ast.AST | None = getattr(node, "parent", None)
    while inner is not None:
        yield inner
        inner = getattr(inner, "parent", None)


def loop_around(node: ast.AST | None) -> ast.For | ast.While | None:
    """The innermost loop that a node is in, within its function."""
    outer = next((one for one in around(node) if isinstance(one, (ast.For, ast.While, *FUNCTIONS))), None)
    return outer if isinstance(outer, (ast.For, ast.While)) else None


def bound_again(statement: ast.AST | None) -> str:
    """The name that a statement assigns a value to and that the `for` around it binds anew in its next turn, where
    nothing reads the name in between; nothing of others.

    >>> import ast
    >>> from shapewright.graph.source import parsed
    >>> bound_again(parsed("for old in slow:\\n    old = 0.9 * old").body[0].body[0])
    'old'
    """
    loop = loop_around(statement)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not isinstance(loop, ast.For):
        return ""
    name = target_name(statement.targets[0])
    turned = any(isinstance(part, ast.Name) and part.id == name for part in walk(loop.target))
    scope = enclosing(loop) or [*around(loop)][-1]
    reads = (part for part in walk(scope) if isinstance(part, ast.Name) and part.id == name)
    within = {id(part) for part in walk(statement)}
    last = statement.end_lineno or statement.lineno
    read = any(isinstance(one.ctx, ast.Load) and id(one) not in within and one.lineno >= last for one in reads)
    return name if turned and not read else ""


def condition_in_loop(node: ast.AST | None) -> ast.If | None:
    """The innermost `if` that decides whether a node is reached in its loop, or in its function."""
    outer = next((one for one in around(node) if isinstance(one, (ast.If, ast.For, ast.While, *FUNCTIONS))), None)
    return outer if isinstance(outer, ast.If) else None


def statement_of(node: ast.AST) -> ast.stmt | None:
    """The statement that a node is part of."""
    return next((part for part in (node, *around(node)) if isinstance(part, ast.stmt)), None)


def guard_of(statement: ast.AST) -> ast.If | None:
    """The `if` around a statement, within its function."""
    for node in around(statement):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            return None
        main = isinstance(node, ast.If) and isinstance(node.test, ast.Compare)
        if isinstance(node, ast.If) and not (
            main and getattr(getattr(node.test, "left", None), "id", "") == "__name__"
        ):
            return node
    return None


def enclosing(node: ast.AST) -> Function | None:
    """The function around a node."""
    return next((part for part in around(node) if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))), None)


def class_of(function: ast.AST) -> ast.ClassDef | None:
    """The class around a function."""
    return next((part for part in around(function) if isinstance(part, ast.ClassDef)), None)
