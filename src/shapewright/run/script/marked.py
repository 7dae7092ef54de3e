"""Marks in the instrumented tree of a script that is to wait at some of its statements (`process/parking`)."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Collection, Iterator, Sequence

from .added import at, call

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def begin(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def flags_of(statements: Sequence[ast.stmt]) -> int:
    """What the compiler is told by the imports from `__future__` among some statements."""
    names = (
        alias.name
        for statement in statements
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        for alias in statement.names
    )
    flags = 0
    for name in names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


def groups(statements: Sequence[ast.stmt], tree: ast.Module) -> list[list[ast.stmt]]:
    """What the instrumented tree of a text has for each of the text's statements of the top level; of those on one
    line the first has what there is for all of them."""
    made: list[list[ast.stmt]] = [[] for _ in statements]
    number = 0
    for node in tree.body:
        while number + 1 < len(statements) and begin(node) >= begin(statements[number + 1]):
            number += 1
        first = number
        while first and begin(statements[first - 1]) == begin(statements[first]):
            first -= 1
        made[first].append(node)
    return made


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a tree, outer ones first."""
    for node in ast.walk(tree):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def marked(tree: ast.Module, lines: Collection[int]) -> ast.Module:
    """The tree, in which functions of the module and of its classes tell that they begin, and the outermost statement
    of each of some lines that control comes to it.

    >>> print(ast.unparse(marked(ast.parse("def f():\\n    for i in x:\\n        a = i"), [3])))
    def f():
        __shapewright__.began()
        for i in x:
            __shapewright__.reached(3)
            a = i
    """
    for line in lines:
        _mark(tree, line)
    owners = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for function in [node for owner in owners for node in owner.body if isinstance(node, FUNCTIONS)]:
        first = 1 if ast.get_docstring(function, clean=False) is not None else 0
        function.body.insert(first, at(function.body[0], ast.Expr(call("began", []))))
    return tree


def _mark(tree: ast.AST, line: int) -> None:
    for block in blocks(tree):
        place = next((number for number, one in enumerate(block) if one.lineno == line), None)
        if place is not None:
            block.insert(place, at(block[place], ast.Expr(call("reached", [ast.Constant(line)]))))
            return
