"""Where the runs of candidates part: the statement of the script's top level above which an edit changes nothing that
has run.

An edit in the body of a function takes effect when the function is first entered, which the trace of the unedited
script tells. What the trace does not tell, the run that goes on finds out by itself (`run.parking`): then the candidate
is run from the start.
"""

from __future__ import annotations

import ast
import functools

from ..diagnosis.model import Edit
from ..trace import Site, Trace
from .candidate import Candidate

DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Parting:
    """The top level of one script, with the first use of each of its functions."""

    def __init__(self, trace: Trace) -> None:
        self.file = trace.script
        self.body = ast.parse(trace.sources[trace.script]).body
        self.first: dict[int, int] = {}
        for stack in _stacks(trace):
            at = self.statement(stack[0].line) if stack[0].file == self.file else None
            for site in stack[1:] if at is not None else ():
                function = self._function(site.line) if site.file == self.file else None
                if function is not None:
                    self.first[function.lineno] = min(at, self.first.get(function.lineno, at))

    def statement(self, line: int) -> int | None:
        """The number of the top-level statement that a line is part of."""
        return next((number for number, node in enumerate(self.body) if _begin(node) <= line <= node.end_lineno), None)

    def point(self, candidate: Candidate) -> int:
        """Before which statement runs of the candidate may part from runs of the unedited script; 0 where from the
        beginning."""
        return min((self._of(edit) for edit in candidate.edits), default=0)

    def works(self, point: int) -> bool:
        """Whether anything is run above a point but imports and definitions."""
        return any(
            not isinstance(node, DEFINING) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            for node in self.body[:point]
        )

    def _of(self, edit: Edit) -> int:
        if edit.file != self.file:
            return 0
        at = self.statement(edit.line)
        if at is None or self.statement(edit.end_line) != at:  # a line between statements
            return next((number for number, node in enumerate(self.body) if _begin(node) >= edit.line), 0)
        function = self._function(edit.line)
        if (
            function is None
            or edit.line < function.body[0].lineno
            or edit.replacement.count("\n") != edit.end_line - edit.line
        ):
            return at
        return max(at, self.first.get(function.lineno, at))

    @functools.cached_property
    def _functions(self) -> list[ast.FunctionDef]:
        inner = [part for node in self.body if isinstance(node, ast.ClassDef) for part in node.body]
        return [node for node in (*self.body, *inner) if isinstance(node, FUNCTIONS)]

    def _function(self, line: int) -> ast.FunctionDef | None:
        """The function of the module or of a class that a line is part of."""
        return next((node for node in self._functions if node.lineno <= line <= node.end_lineno), None)


def parting(trace: Trace) -> Parting | None:
    """`None` where the script's text is no module of statements."""
    try:
        return Parting(trace) if trace.script in trace.sources else None
    except SyntaxError:
        return None


def common(points: list[int], part: Parting) -> int:
    """The latest point from which at least half of the candidates can go on; -1 where it spares nothing."""
    points = sorted(points)
    point = points[len(points) // 2] if len(points) > 1 else -1
    earlier = [p for p in points if p <= point and part.works(p)]
    return max(earlier, default=-1)


def _begin(node: ast.stmt) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])


def _stacks(trace: Trace) -> list[tuple[Site, ...]]:
    """Every stack of the user's that a trace has."""
    found = (
        [event.stack for event in trace.events]
        + [step.stack for step in trace.steps]
        + [module.stack for module in trace.modules.values()]
    )
    if trace.failure is not None:
        found += [trace.failure.stack, *([trace.failure.event.stack] if trace.failure.event is not None else [])]
    return [stack for stack in found if stack]
