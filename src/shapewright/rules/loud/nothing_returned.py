"""A function that returns nothing is used as if it returned a value.

## What it finds
A call or an operation that is given `None`, which a function of the script gave back because it has no `return`.

## Why it hurts
The script stops where the result is used, not where the `return` is missing.

## Example
    def forward(self, x):
        x = self.fc(x)

## Instead
    def forward(self, x):
        x = self.fc(x)
        return x

## Fix safety
What the last line computes is returned: read whether that is the result.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.origins import Origins
from ...graph.source import Function, walk
from ...graph.unreturned import unreturned
from ...trace import Origin, Site, Trace
from ..facts import Facts, Span
from ..remedy import InsertLine, Remedy, Rewrite

code = "SW142"


def check(trace: Trace) -> Iterator[Facts]:
    """The line that failed, and the end of the function that gave it nothing."""
    found = unreturned(trace)
    if found is None or trace.failure is None or trace.failure.site is None:
        return
    call, function = found
    source = Origins(trace).source
    end, head = source.site(function.body[-1], call.file), Site(call.file, function.lineno)
    yield Facts(
        trace.failure.site,
        fields={"text": source.site_text(call), "name": function.name, "line": function.lineno},
        origins=(
            Origin("definition", source.line(end.file, end.line), end),
            Origin("definition", source.line(head.file, head.line), head),
            Origin("operator", source.site_text(call), call),
        ),
        spans=(Span(trace.failure.site, "None"),),
        remedy=_remedy(function, end),
    )


def _remedy(function: Function, end: Site) -> Remedy | None:
    """What the last line computes, or the name that it binds, is returned: a guess where other names wait to be read,
    too."""
    last = function.body[-1]
    if isinstance(last, ast.Expr):
        return Rewrite("return {}", end, guessed=bool(_unread(function)))
    targets = last.targets if isinstance(last, ast.Assign) else [getattr(last, "target", None)]
    if not isinstance(last, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or not isinstance(targets[0], ast.Name):
        return None
    name = targets[0].id
    return InsertLine(f"return {name}", site=end, below=True, guessed=_unread(function) - {name} != set())


def _unread(function: Function) -> set[str]:
    """The names that a function binds and does not read after the last time."""
    names = [node for part in function.body for node in walk(part) if isinstance(node, ast.Name)]
    bound, read = dict[str, int](), dict[str, int]()
    for node in names:
        last = bound if isinstance(node.ctx, ast.Store) else read
        last[node.id] = max(last.get(node.id, 0), node.lineno)
    return {name for name, line in bound.items() if read.get(name, 0) <= line}


MESSAGES = {
    "en": {
        "message": "{text} returns None, but its result is used here",
        "why": "{name} (line {line}) ends without a return",
    },
    "es": {
        "message": "{text} devuelve None, pero su resultado se usa aquí",
        "why": "{name} (línea {line}) termina sin return",
    },
    "ja": {
        "message": "{text} は None を返しますが、その結果がここで使われています",
        "why": "{name} ({line} 行目) は return なしで終わります",
    },
}
