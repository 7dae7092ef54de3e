"""The user's function that gives nothing back, where a script goes on with what it gives.

It reads the failing line, what its names were bound to, and the events of the calls there; it runs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..trace import Site, Trace
from ..trace.said import Refusal
from .calls import entered
from .source import Function, Source


def unreturned(trace: Trace) -> tuple[Site, Function] | None:
    """The call that gave `None` to the line that failed, and the function that it called, which has no `return` with a
    value; `None` where there is none."""
    failure, source = trace.failure, Source(trace)
    if failure is None or failure.site is None or Refusal.NOTHING not in failure.said:
        return None
    for call in _calls(source, failure.site, failure.values):
        site = source.site(call, failure.site.file)
        for event in reversed(trace.events):
            for function in entered(source, event, site):
                if gives_nothing(function):
                    return site, function
    return None


def _calls(source: Source, site: Site, values: dict[str, object]) -> Iterator[ast.Call]:
    """The calls within the failing expression, and those that bound the names in it that hold `None`."""
    failing = source.node_at(site)
    for node in ast.walk(failing) if failing is not None else ():
        if isinstance(node, ast.Call):
            yield node
        elif isinstance(node, ast.Name) and values.get(node.id, site) is None:
            bound = source.bound_before(site, node.id)
            yield from [bound.value] if bound is not None and isinstance(bound.value, ast.Call) else []


def gives_nothing(function: Function) -> bool:
    """Whether a function ends without ever giving a value back.

    >>> gives_nothing(ast.parse("def f(x):\\n    y = x + 1").body[0])
    True
    """
    inside = (node for part in function.body for node in _own(part))
    return not any(
        isinstance(node, (ast.Yield, ast.YieldFrom)) or (isinstance(node, ast.Return) and node.value is not None)
        for node in inside
    )


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what it holds, functions and classes within it left out."""
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        for part in ast.iter_child_nodes(node):
            yield from _own(part)
