"""Which statements led to what a variable was bound to, by the names that they read.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from dataclasses import replace

from ..trace import Site, TensorFact, Trace
from .batches import loaded
from .source import Source

DEEP = 4


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


def bound_to(trace: Trace, fact: TensorFact) -> list[Site]:
    """Where the variable that holds a tensor was bound, and what was read there."""
    held = next((one for one in trace.bound if fact.uid and one.fact.uid == fact.uid), None)
    return list(behind(trace, held.site, 1)) if held is not None else []
