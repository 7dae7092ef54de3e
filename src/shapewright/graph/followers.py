"""Networks that are handed another network's weights, as the text says it, and whether anything calls them.

It is static: the run may end before the first copy is made. It runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .source import walk


def idle_followers(tree: ast.AST) -> dict[str, str]:
    """By the expression of a network that takes over the weights of another one (`load_state_dict`, a deep copy, a loop
    over the parameters of both) and that nothing calls or passes on: the expression of the other one.

    >>> idle_followers(ast.parse("b.load_state_dict(a.state_dict())\\nloss = a(x)"))
    {'b': 'a'}
    >>> idle_followers(ast.parse("b.load_state_dict(a.state_dict())\\nloss = a(x) - b(x)"))
    {}
    """
    nodes = walk(tree)
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    passed = {
        ast.unparse(value)
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] != "deepcopy"
        for value in (*node.args, *(keyword.value for keyword in node.keywords))
    }
    pairs = dict(pair for node in nodes for pair in _handed(node))
    return {
        follower: leader
        for follower, leader in pairs.items()
        if leader in called and follower != leader and follower not in called | passed
    }


def _handed(node: ast.AST) -> Iterator[tuple[str, str]]:
    """`(the network that takes weights, the one that they are of)` of one statement or call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "load_state_dict":
        given = node.args[0] if node.args else None
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "state_dict":
            yield ast.unparse(node.func.value), ast.unparse(given.func.value)
    if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "zip":
        owners = [
            ast.unparse(part.func.value)
            for part in node.iter.args
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "parameters"
        ]
        names = [part.id for part in walk(node.target) if isinstance(part, ast.Name)]
        written = {name for call in walk(node) if (name := _written(call))}
        if len(owners) == 2 and len(names) == 2:
            for at in (0, 1):
                if names[at] in written:
                    yield owners[at], owners[1 - at]


def _written(node: ast.AST) -> str:
    """The name of the tensor that a call changes in place, or of whose `.data` it does."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return ""
    owner = node.func.value.value if isinstance(node.func.value, ast.Attribute) else node.func.value
    return owner.id if node.func.attr in ("copy_", "mul_", "lerp_") and isinstance(owner, ast.Name) else ""
