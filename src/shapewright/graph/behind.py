"""Which statements led to what a variable was bound to, by the names that they read.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from ..trace import Site, TensorFact, Trace
from .batches import loaded
from .scopes import assignments
from .source import Function, Source, walk

DEEP = 4
SCALING = (ast.Sub, ast.Div, ast.Mult)


def behind(trace: Trace, site: Site, deep: int = DEEP) -> dict[Site, set[str]]:
    """The statement at a site and those that bound what it reads, nearest first, each with the names that led there."""
    source = Source(trace)
    found: dict[Site, set[str]] = {}
    ahead = [(site, "", 0)]
    while ahead:
        at, name, far = ahead.pop(0)
        node = source.statement_on(at.file, at.line)
        here = source.site(node, at.file) if node is not None else at
        found.setdefault(here, set()).add(name)
        if node is None or far >= deep or len(found[here]) > 1:
            continue
        above = replace(here, line=here.line - 1, end_line=here.line - 1)
        made = ((other, source.bound_before(above, other)) for other in sorted(loaded(node)))
        ahead += [(source.site(one, at.file), other, far + 1) for other, one in made if one is not None]
    return found


def read_at(trace: Trace, loader: Site) -> list[Site]:
    """Where a loader's samples are computed: sums and products in `__getitem__` of its data set with the constants of
    the file that they read, and what the data set was given on lines of their own, as transforms are."""
    source, found = Source(trace), list[Site]()
    kinds = {told["class"] for told in trace.data.loaders if told["sites"] and told["sites"][-1] == loader}
    for file in trace.sources:
        for node in source.nodes(file):
            if isinstance(node, ast.ClassDef) and node.name in kinds:
                read = (part for part in node.body if isinstance(part, Function) and part.name == "__getitem__")
                parts = [part for method in read for part in walk(method) if isinstance(part, ast.BinOp)]
                scaled = [part for part in parts if isinstance(part.op, SCALING)]
                held = {name for part in scaled for name in loaded(part)}
                bound = (one for name in held for one, *_ in assignments(source.tree(file), name))
                found += [source.site(part, file) for part in (*scaled, *bound)]
    for at in behind(trace, loader, 2):
        statement = source.statement_on(at.file, at.line)
        for call in walk(statement) if statement is not None else ():
            given = (*call.args, *(one.value for one in call.keywords)) if isinstance(call, ast.Call) else ()
            found += [source.site(one, at.file) for one in given if isinstance(one, ast.Call) and one.lineno > at.line]
    return list({(one.file, one.line): one for one in found}.values())


def bound_to(trace: Trace, fact: TensorFact) -> list[Site]:
    """Where the variable that holds a tensor was bound, and what was read there."""
    held = next((one for one in trace.bound if fact.uid and one.fact.uid == fact.uid), None)
    return list(behind(trace, held.site, 1)) if held is not None else []
