"""Where the values of an expression were cut out of a longer series, table or list: slices and computed indices, on the
way back through assignments, arguments, loops over data sets and the functions that gave the values.

It is static: it follows names through the user's sources and runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ..trace import Event, Origin, Site, Trace
from .calls import dotted
from .scopes import (
    Assigned,
    argument_of,
    assignments,
    class_of,
    enclosing,
    parameters_of,
    statement_of,
    target_name,
)
from .source import Function, Source, walk
from .training import place

DEEPEST = 12
MOST = 4
Steps = tuple[int, ...]  # which element of a tuple, and which of that one


def cut_at(trace: Trace, *starts: Event | Site | None) -> tuple[Origin, ...]:
    """The lines that cut what the calls at these places were given, nearest first; their own lines are left out."""
    source, found, own = Cuts(trace), dict[tuple[str, int], Site](), set[tuple[str, int]]()
    for start in starts:
        site, stack = (start.site, start.stack) if isinstance(start, Event) else (start, ())
        if site is None:
            continue
        own.add((site.file, site.line))
        for cut in source.behind(source.node_at(site), stack or (site,)):
            found.setdefault((cut.file, cut.line), cut)
    sites = [site for key, site in found.items() if key not in own]
    return tuple(origin for site in sites[:MOST] for origin in place(trace, site))


class Cuts(Source):
    """The user's sources, with the way back from an expression to the statements that cut its values."""

    def behind(self, node: ast.AST | None, stack: tuple[Site, ...]) -> Iterator[Site]:
        """The statements, nearest first, that a value at `stack[-1]` was cut by."""
        seen: set[tuple[int, Steps]] = set()
        ahead: list[tuple[ast.AST | None, tuple[Site, ...], Steps, int]] = [(node, stack, (), 0)]
        while ahead:
            at, where, element, far = ahead.pop(0)
            if at is None or far > DEEPEST or (id(at), element) in seen:
                continue
            seen.add((id(at), element))
            at, element = _element(at, element)
            statement = statement_of(at)
            if far and statement is not None and any(_cuts(part) for part in walk(at)):
                yield self.site(statement, where[-1].file)
            ahead += [(*one, far + 1) for one in self._before(at, where, element)]

    def _before(
        self, node: ast.AST, stack: tuple[Site, ...], element: Steps
    ) -> Iterator[tuple[ast.AST, tuple[Site, ...], Steps]]:
        """What the value of an expression is made of, each with the stack that leads there."""
        file = stack[-1].file
        if isinstance(node, ast.Name):
            yield from self._bound(node, stack, element)
        elif isinstance(node, ast.Attribute) and target_name(node):
            owner = class_of(node)
            for method in (part for part in (owner.body if owner else ()) if isinstance(part, Function)):
                for one in assignments(method, target_name(node)):
                    yield from _assigned(one, (replace(stack[-1], line=one[0].lineno, function=method.name),), element)
        elif isinstance(node, ast.Call):
            inside = [(name, made) for name, made in self._functions(dotted(node.func)) if made is not enclosing(node)]
            for name, made in inside:
                for part in walk(made):
                    if isinstance(part, ast.Return) and part.value is not None and enclosing(part) is made:
                        entered = (*stack[:-1], self.site(node, file), Site(name, part.lineno, 1, function=made.name))
                        yield part.value, entered, element
            kept = element if len(node.args) < 2 else ()
            for part in (*node.args, *(keyword.value for keyword in node.keywords)) if not inside else ():
                yield part, stack, kept
            if not inside and isinstance(node.func, ast.Attribute):
                yield node.func.value, stack, kept
        elif not isinstance(node, (ast.Lambda, ast.Constant)):
            for part in ast.iter_child_nodes(node):
                if isinstance(part, (ast.expr, ast.comprehension)):
                    yield part, stack, ()

    def _bound(
        self, leaf: ast.Name, stack: tuple[Site, ...], element: Steps
    ) -> Iterator[tuple[ast.AST, tuple[Site, ...], Steps]]:
        """What a name was bound to: the last assignment above, what was put into it, the caller's argument, an item of
        what a loop runs over."""
        function, file = enclosing(leaf), stack[-1].file
        scopes = (function, self.tree(file)) if function is not None else (self.tree(file),)
        for scope in scopes:
            bound = list(assignments(scope, leaf.id))
            above = [one for one in bound if one[0].lineno <= leaf.lineno] or bound
            own = [one for one in above if not isinstance(one[0], ast.Expr)][-1:]
            for one in (*own, *(one for one in bound if isinstance(one[0], ast.Expr))):
                if isinstance(one[0], ast.For):
                    yield from self._item(one[0], leaf.id, stack)
                else:
                    yield from _assigned(one, stack, element)
            if not bound and scope is function and leaf.id in parameters_of(function):
                for call, outer in self._callers(function, stack):
                    argument = argument_of(call, function, leaf.id)
                    if argument is not None:
                        yield argument, outer, element
            if bound or (scope is function and leaf.id in parameters_of(function)):
                return

    def _item(
        self, loop: ast.For, name: str, stack: tuple[Site, ...]
    ) -> Iterator[tuple[ast.AST, tuple[Site, ...], Steps]]:
        """What a loop's variable holds: an element of what `__getitem__` of a data set gives, or of the list."""
        steps, over = _path(loop.target, name), loop.iter
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "enumerate" and steps:
            steps, over = steps[1:], over.args[0]
        read = [made for made in self._functions("__getitem__")]
        for file, made in read if len(read) == 1 else ():
            for part in walk(made):
                if isinstance(part, ast.Return) and part.value is not None and enclosing(part) is made:
                    yield part.value, (Site(file, part.lineno, 1, function=made.name),), steps
        yield over, stack, steps

    def _callers(self, function: Function, stack: tuple[Site, ...]) -> Iterator[tuple[ast.Call, tuple[Site, ...]]]:
        """The call that entered a function: that of the stack, else every one that is written."""
        call = self.call_at(stack[-2]) if len(stack) > 1 else None
        if call is not None and dotted(call.func).split(".")[-1] == function.name:
            yield call, stack[:-1]
            return
        for file in self.trace.sources:
            for node in self.nodes(file):
                if isinstance(node, ast.Call) and dotted(node.func).split(".")[-1] == function.name:
                    inside = enclosing(node)
                    yield node, (replace(self.site(node, file), function=inside.name if inside else "<module>"),)

    def _functions(self, name: str) -> list[tuple[str, Function]]:
        """The user's functions that a call by this name may enter, where there is one alone."""
        last = name.split(".")[-1]
        return [
            (file, node)
            for file in (self.trace.sources if last else ())
            for node in self.nodes(file)
            if isinstance(node, Function) and node.name == last
        ][:2]


def _assigned(
    one: Assigned, stack: tuple[Site, ...], element: Steps
) -> Iterator[tuple[ast.AST, tuple[Site, ...], Steps]]:
    statement, value, at = one
    if value is not None:
        yield value, stack, element if at is None or isinstance(statement, ast.Expr) else (at, *element)


def _element(node: ast.AST, element: Steps) -> tuple[ast.AST, Steps]:
    """The element of a tuple that is written out, and what is left of the way into it."""
    while element and isinstance(node, (ast.Tuple, ast.List)) and element[0] < len(node.elts):
        node, element = node.elts[element[0]], element[1:]
    return node, element


def _path(target: ast.AST, name: str) -> Steps:
    """The way to a name in what a loop binds."""
    for at, part in enumerate(target.elts) if isinstance(target, (ast.Tuple, ast.List)) else ():
        if any(isinstance(one, ast.Name) and one.id == name for one in walk(part)):
            return (at, *_path(part, name))
    return ()


def _cuts(node: ast.AST) -> bool:
    """Whether a node takes steps or items by a computed place; parts of a data set, `x[:800]`, are told by none."""
    return isinstance(node, ast.Subscript) and any(
        isinstance(part, (ast.BinOp, ast.UnaryOp))
        or (isinstance(part, ast.Slice) and any(_step(bound) for bound in (part.lower, part.upper)))
        for part in walk(node.slice)
    )


def _step(bound: ast.expr | None) -> bool:
    return isinstance(bound, ast.Constant) and bound.value in (1, 2)
