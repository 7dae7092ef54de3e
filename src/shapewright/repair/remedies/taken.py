"""A tuple or list handed on where one tensor is wanted: a recurrent layer's `(output, state)`, a loader's batch of
one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ...trace.said import Refusal
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """The names that the failing lines read, unpacked where a call or a loop binds them, or indexed where they are
    bound."""
    failure = case.trace.failure
    if failure is None or Refusal.NOT_A_TENSOR not in failure.said:
        return
    seen = set()
    for depth, site in enumerate(reversed(failure.stack or (case.site,))):
        source = case.source(site.file)
        statement = source.statement(site.line) if source else None
        if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
            continue
        for name in dict.fromkeys(p.node.value for p in source.within(statement, cst.Name)):
            for target, value in _bindings(source, name, site.line):
                key = (source.file, target.line, target.column)
                if key not in seen:
                    seen.add(key)
                    yield from _unpacked(source, target, value, name, 4 + min(3 * depth, 9))


def _bindings(source: Source, name: str, line: int) -> Iterator[tuple[Place, Place | None]]:
    """`(target, value)` of assignments above the line and of loops around it that bind the name alone."""
    scope = source.scope(line)
    for place in source.places:
        node = place.node
        if isinstance(node, cst.Assign) and place.end_line < line and source.scope(place.line) is scope:
            target = node.targets[0].target
            if isinstance(target, cst.Name) and target.value == name and isinstance(node.value, cst.Call):
                yield source.place(target), source.place(node.value)
        elif isinstance(node, cst.For) and place.line <= line <= place.end_line:
            target = node.target
            parts = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
            yield from (
                (source.place(part), None) for part in parts if isinstance(part, cst.Name) and part.value == name
            )


def _unpacked(source: Source, target: Place, value: Place | None, name: str, rank: int) -> Iterator[Candidate]:
    if value is None:
        for rest, more in ((f"({name},)", 0), (f"({name}, _)", 1), (f"({name}, *_)", 3)):
            yield Candidate("unpack", (source.replace(target, rest),), rank + more, {"code": rest})
        return
    func = source.text_of(source.place(value.node.func))
    near = 0 if re.search(r"(?i)rnn|lstm|gru|attn|attention|encoder|mha", func) else 2
    yield Candidate("unpack", (source.replace(target, f"{name}, _"),), rank + near, {"code": f"{name}, _"})
    yield Candidate("unpack", (source.suffix(value, "[0]"),), rank + near + 1, {"code": "[0]"})
