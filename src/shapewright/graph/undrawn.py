"""What a function of the user's gives in every training step and nothing reads, beside what it gives that is read.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..dataclass import dataclass
from ..trace import Site, Trace
from .calls import called, dotted
from .scopes import around
from .source import FUNCTIONS, Source, walk
from .training import of_kind

LOOPS = (ast.For, ast.While, ast.AsyncFor)


@dataclass(frozen=True)
class Unread:
    """Nothing reads the `names` that are bound at `site`; `others`, bound `beside` by the same `function`, are read."""

    site: Site
    names: tuple[str, ...]
    others: tuple[str, ...]
    beside: Site
    function: str


def drawn_alone(trace: Trace) -> Iterator[Unread]:
    """Every such call, of two tensors or more, at least one of them of real numbers."""
    source = Source(trace)
    real = dict.fromkeys(one.site for one in trace.bound if one.fact.dtype.startswith("float"))
    steps = [source.statement_on(one.site.file, one.site.line) for one in of_kind(trace, "backward") if one.site]
    training = {id(outer) for statement in steps for outer in around(statement) if isinstance(outer, LOOPS)}
    for site in real if training else ():
        statement = source.statement_on(site.file, site.line)
        names = _unpacked(statement)
        if statement is None or len(names) < 2 or not any(id(outer) in training for outer in around(statement)):
            continue
        if not any(True for _ in called(source, site.file, statement)):
            continue
        scope = next((one for one in around(statement) if isinstance(one, FUNCTIONS)), source.tree(site.file))
        if any(_reads(scope, name) for name in names):
            continue
        for other in source.nodes(site.file):
            told = _unpacked(other) if getattr(other, "parent", None) is getattr(statement, "parent", 0) else ()
            if other is not statement and len(told) == len(names) and _asked(other) == _asked(statement):
                if isinstance(other, ast.stmt) and all(_reads(scope, name) for name in told):
                    yield Unread(site, names, told, source.site(other, site.file), _asked(statement))


def _unpacked(statement: ast.AST | None) -> tuple[str, ...]:
    """The names to which a statement binds what a call gives."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return ()
    targets = getattr(statement.targets[0], "elts", [])
    return tuple(one.id for one in targets if isinstance(one, ast.Name)) if _plain(targets) else ()


def _plain(targets: list[ast.expr]) -> bool:
    """Whether targets are names, none of them one that says that nobody is to read it."""
    return all(isinstance(one, ast.Name) and not one.id.startswith("_") for one in targets)


def _asked(statement: ast.AST) -> str:
    """What a statement calls."""
    call = statement.value if isinstance(statement, ast.Assign) else None
    return dotted(call.func) if isinstance(call, ast.Call) else ""


def _reads(scope: ast.AST, name: str) -> bool:
    """Whether a variable of a scope is read, also by a function within that has none of this name."""
    for part in walk(scope):
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
            inner = next((one for one in around(part) if isinstance(one, FUNCTIONS)), None)
            if inner is None or inner is scope or not _binds(inner, name):
                return True
    return False


def _binds(function: ast.AST, name: str) -> bool:
    """Whether a function has a variable or a parameter of a name."""
    names = (one for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    arguments = (one.arg for one in walk(function) if isinstance(one, ast.arg))
    return name in {one.id for one in names} | set(arguments)
