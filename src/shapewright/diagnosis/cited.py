"""What the author says of the tensors that a finding speaks of: a comment, docstring, annotation or pattern that the
fault contradicts is a place that explains it. It finds no fault."""

from __future__ import annotations

from ..graph.contracts import Statement, statements
from ..rules import Facts
from ..trace import Event, Origin, Trace
from ..trace.event import tensors


def cited(facts: Facts, event: Event | None, trace: Trace) -> tuple[Origin, ...]:
    """At most one statement, of those that fit the tensor least first: of a tensor that the call was given or made, or
    on the finding's line or on one that explains it."""
    here = {(facts.site.file, facts.site.line)}
    near = {(one.site.file, one.site.line) for one in facts.origins if one.site is not None}
    given = {fact.uid for fact in event.given} if event is not None else set()
    made = {fact.uid for fact in tensors(event.result)} if event is not None else set()
    best: tuple[int, Statement] | None = None
    for one in statements(trace):
        place = (one.site.file, one.site.line)
        fits = len(one.symbols) == len(one.axes)
        if one.fact.uid in made or place in here:
            rank = 1 if fits else 0
        elif place in near:
            rank = 3 if fits else 0
        elif one.fact.uid in given and (not fits or len(given) == 1):
            rank = 2
        else:
            continue
        if best is None or rank < best[0]:
            best = (rank, one)
    if best is None or any(one.kind == best[1].kind for one in facts.origins):
        return ()
    return (Origin(best[1].kind, best[1].text, best[1].place),)
