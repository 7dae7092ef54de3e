"""Finds calls in the user's sources by the dotted name that they are written with. Pure: it reads texts and runs
nothing."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TypeVar

from ..trace import Event, Site, TensorFact, Trace
from .source import Function, Source, parsed, site_of, walk

T = TypeVar("T", bound=ast.AST)
KEEPING = frozenset({"state_dict", "save", "deepcopy"})


def dotted(node: ast.AST) -> str:
    """`np.random.seed` for the expression, empty where it is no plain dotted name.

    >>> dotted(ast.parse("np.random.seed(1)").body[0].value.func)
    'np.random.seed'
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def every(trace: Trace, *kinds: type[T]) -> Iterator[tuple[T, Site]]:
    """`(node, site)` of every such node in the user's files, in the order of `ast.walk`."""
    for file, text in trace.sources.items():
        for node in walk(parsed(text)):
            if isinstance(node, kinds):
                yield node, site_of(file, node, text)


def keeps(statements: list[ast.stmt]) -> bool:
    """Whether some statements ask for the state of a model, save it or copy it."""
    made = (part for one in statements for part in walk(one) if isinstance(part, ast.Call))
    return any(dotted(call.func).rpartition(".")[2] in KEEPING for call in made)


def bound(node: ast.AST | None) -> ast.Name | ast.Attribute | None:
    """What an assignment to one name or attribute binds.

    >>> bound(ast.parse("net.head = 1").body[0]).attr
    'head'
    """
    targets = node.targets if isinstance(node, ast.Assign) else ()
    return targets[0] if len(targets) == 1 and isinstance(targets[0], (ast.Name, ast.Attribute)) else None


def uses(trace: Trace, made: Site) -> tuple[str, list[ast.AST | None]] | None:
    """The name that the statement at `made` binds, and around every other place that names it, what it is part of."""
    target = bound(Source(trace).statement_at(made))
    if target is None:
        return None
    name = ast.unparse(target)
    nodes = (node for node, _ in every(trace, ast.Name, ast.Attribute) if ast.unparse(node) == name)
    return name, [getattr(node, "parent", None) for node in nodes if node is not target]


def calls(trace: Trace) -> Iterator[tuple[str, ast.Call, Site]]:
    """`(dotted name, call, site)` of every call in the user's files, in the order of `ast.walk`."""
    for node, site in every(trace, ast.Call):
        name = dotted(node.func) or (f"?.{node.func.attr}" if isinstance(node.func, ast.Attribute) else "")
        if name:
            yield name, node, site


def called(source: Source, file: str, node: ast.AST | None) -> Iterator[ast.FunctionDef]:
    """The functions of a file that the calls within a node name."""
    names = {dotted(part.func) for part in (walk(node) if node is not None else ()) if isinstance(part, ast.Call)}
    for function in source.nodes(file) if names else ():
        if isinstance(function, ast.FunctionDef) and function.name in names:
            yield function


def entered(source: Source, event: Event, call: Site) -> Iterator[Function]:
    """The user's function that the call at a site entered on the way to an event."""
    for outer, inner in itertools.pairwise(event.stack):
        function = source.function_at(inner) if outer.begins_with(call) else None
        if function is not None:
            yield function


def written_side(trace: Trace, event: Event, fact: TensorFact) -> Site | None:
    """Where an operand of an operator that is written between its two sides is written."""
    source, site = Source(trace), event.site
    node = source.spanned(site, ast.BinOp)
    sides = zip((node.left, node.right), event.given) if node is not None else ()
    return next((source.site(side, site.file) for side, given in sides if site is not None and given is fact), None)


def mentions(trace: Trace, *words: str) -> bool:
    """Whether any user file contains any of the words, in any case."""
    return any(word in text.lower() for text in trace.sources.values() for word in words)
