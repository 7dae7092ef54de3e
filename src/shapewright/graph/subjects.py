"""The tensors that a place of a source may speak of: variables, parameters, what an expression or a `return` gave.

Pure: it reads a `Trace` and its sources. It reads no statement.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from ..trace import Binding, Event, Site, TensorFact, Trace
from .flow import tensors
from .source import Function, Source, walk


class Subjects:
    """Finds tensors by the places of one trace's sources."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.source = trace, Source(trace)
        self.bound: dict[tuple[str, str], list[Binding]] = {}
        for one in trace.bound:
            self.bound.setdefault((one.site.file, one.name), []).append(one)

    def scope(self, file: str, line: int) -> int:
        """The line of the outermost function or class around a line; 0 where there is none."""
        scopes = (node for node in self.source.tree(file).body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
        return next((node.lineno for node in scopes if node.lineno <= line <= (node.end_lineno or 0)), 0)

    def function(self, file: str, line: int) -> Function | None:
        """The innermost function around a line."""
        return self.source.function_at(Site(file, line))

    def binding(self, file: str, name: str, first: int, last: int) -> Binding | None:
        """What a name was bound to first within some lines."""
        return next((one for one in self.bound.get((file, name), ()) if first <= one.site.line <= last), None)

    def before(self, file: str, name: str, line: int) -> Binding | None:
        """What a name was bound to last above a line of the same function."""
        function = self.function(file, line)
        first, last = 1, 1 << 30
        if function is not None:
            first, last = function.lineno, function.end_lineno or function.lineno
        held = [
            one
            for one in self.bound.get((file, name), ())
            if first <= one.site.line <= min(line, last) and self.function(file, one.site.line) is function
        ]
        return max(held, key=lambda one: one.site.line, default=None)

    def made(self, file: str, node: ast.expr, line: int) -> TensorFact | None:
        """The tensor that an expression gave the first time: a variable, or what the last call of its span made."""
        if isinstance(node, ast.Name):
            one = self.before(file, node.id, line)
            return one.fact if one is not None else None
        span = self.source.site(node, file)
        found: Event | None = None
        for event in self._events.get((file, span.line, span.column, span.end_line, span.end_column), ()):
            if found is not None and (event.index != found.index + 1 or event.stack[:-1] != found.stack[:-1]):
                break
            found = event
        if found is None and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            return self.made(file, node.func.value, line)  # `.numpy()` hands on what it is asked of
        held = [] if found is None else list(tensors(found.result))
        return held[0] if len(held) == 1 else None

    @functools.cached_property
    def _events(self) -> dict[tuple[str, int, int, int, int], list[Event]]:
        found: dict[tuple[str, int, int, int, int], list[Event]] = {}
        for event in self.trace.events:
            if (site := event.site) is not None:
                key = (site.file, site.line, site.column, site.end_line, site.end_column)
                found.setdefault(key, []).append(event)
        return found

    def parameter(self, file: str, function: Function, name: str) -> Binding | None:
        """What a parameter was when the function was first entered."""
        return next((one for one in self.bound.get((file, name), ()) if one.site.line == function.lineno), None)

    def returned(self, file: str, function: Function) -> Iterator[tuple[ast.Return, list[TensorFact | None]]]:
        """What each `return` of a function's own gives back, value by value."""
        for node in walk(function):
            if isinstance(node, ast.Return) and node.value is not None and self.function(file, node.lineno) is function:
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                yield node, [self.made(file, value, node.lineno) for value in values]

    def targets(self, file: str, statement: ast.Assign) -> list[Binding]:
        """The variables that an assignment bound to tensors, in their order."""
        names = [part.id for target in statement.targets for part in walk(target) if isinstance(part, ast.Name)]
        last = statement.end_lineno or statement.lineno
        held = [self.binding(file, name, statement.lineno, last) for name in names]
        return [one for one in held if one is not None]

    def read_by(self, file: str, value: ast.expr, line: int) -> tuple[TensorFact, ...]:
        """The variables that an expression reads, as they were before its line."""
        names = dict.fromkeys(part.id for part in walk(value) if isinstance(part, ast.Name))
        held = [self.before(file, name, line - 1) for name in names]
        return tuple(one.fact for one in held if one is not None)
