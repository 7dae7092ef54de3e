"""Reads loops over batches in the user's sources: which loader a loop runs over, whether it trains, what it adds up.
Pure: it runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..lexicon import says
from ..trace import Trace
from .calls import dotted
from .scopes import around
from .source import walk

WRAPPERS = ("enumerate", "tqdm", "trange", "iter", "track")


def loader_of(node: ast.expr) -> str:
    """The dotted name of what a loop runs over, behind `enumerate` and progress bars; empty where it has none."""
    while isinstance(node, ast.Call) and node.args and dotted(node.func).split(".")[-1] in WRAPPERS:
        node = node.args[0]
    return dotted(node)


def made_by_loader(root: ast.AST) -> set[str]:
    """The names that a `DataLoader(...)` is assigned to."""
    found = set()
    for node in walk(root):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and dotted(node.value.func).split(".")[-1] == "DataLoader"
        ):
            found |= {dotted(target) for target in node.targets}
    return found - {""}


def loops_over_batches(root: ast.AST) -> Iterator[tuple[ast.For, str]]:
    """Every `for` over a DataLoader, or over something named like one, with that name."""
    made = made_by_loader(root)
    for node in walk(root):
        if isinstance(node, ast.For):
            name = loader_of(node.iter)
            if name and (name in made or says(name.split(".")[-1], "loader")):
                yield node, name


def trains(node: ast.AST) -> bool:
    """Whether a loop runs `backward` or a step."""
    return any(isinstance(part, ast.Attribute) and part.attr in ("backward", "step") for part in walk(node))


def ran(trace: Trace, file: str, loop: ast.For) -> bool:
    """Whether any call within a loop was seen."""
    return any(
        site.file == file and loop.lineno <= site.line <= (loop.end_lineno or loop.lineno)
        for event in trace.events
        for site in event.stack
    )


def flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block, those within `with` among them, those of inner loops and branches not."""
    for statement in body:
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from flat(statement.body)
        else:
            yield statement


def names_of(node: ast.AST | None) -> set[str]:
    """The plain names in a node, read or bound; none of nothing."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name)} if node is not None else set()


def stored(node: ast.AST) -> set[str]:
    """The plain names that a node binds."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def loaded(node: ast.AST) -> set[str]:
    """The plain names that a node reads."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def following(root: ast.AST, loop: ast.For) -> list[ast.stmt]:
    """The statements after a loop in its block, and after the `with` blocks around it."""
    found: list[ast.stmt] = []
    node: ast.AST = loop
    for parent in around(loop):
        for block in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and node in block:
                found += block[block.index(node) + 1 :]
        if not isinstance(parent, (ast.With, ast.AsyncWith)):
            break
        node = parent
    return found
