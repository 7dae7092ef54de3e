"""A mean, sum or maximum inside a model taken over each sample's own values."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import SetDim
from ...trace import TensorFact
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (SetDim,)


@at(cst.Call, site=lambda case: case.site if case.remedy.own else None, method=True)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """For an average over samples: the batch axis out of its `dim`. A `view` in the same function that begins with 1,
    as the summary of a whole batch needs it, begins with the number of samples then."""
    name, inner = call.node.func.attr.value, source.operand(call)
    if inner is None or not ops.is_a(name, "reduces"):
        return
    reduced, free = source.text_of(inner), inner.node is not call.node.func.value
    facts = (e.args[0] for e in case.trace.events if e.site == case.site and e.args)
    rank = next((fact.rank for fact in facts if isinstance(fact, TensorFact)), 0)
    edit = _own(source, call, int(free), rank)
    if edit is None:
        return
    fields = {"op": name, "dim": edit.replacement}
    yield Candidate("dim", (edit,), 4, fields)
    scope = source.scope(case.site.line) if reduced.isidentifier() else None
    views = [place for place in source.within(scope, cst.Call) if _whole(source, place)] if scope is not None else []
    if views:
        first = (source.place(place.node.args[0].value) for place in views)
        edits = (source.replace(place, f"{reduced}.size(0)") for place in first)
        yield Candidate("dim", (edit, *edits), 5, fields)


def _own(source: Source, call: Place, position: int, rank: int):
    """The edit that leaves the batch axis out of `dim`; `None` where the call names no axes or that one alone of
    two."""
    plain = [given for given in call.node.args if given.keyword is None]
    given = next(
        (a for a in call.node.args if a.keyword is not None and ops.names_axis(a.keyword.value)),
        plain[position] if len(plain) > position else None,
    )
    if given is None:
        return (
            source.argument(call, None, "dim", "1" if rank == 2 else str(tuple(range(1, rank))))
            if rank >= 2 and not plain[position:]
            else None
        )
    if isinstance(given.value, (cst.Tuple, cst.List)):
        left = [
            text
            for text in (source.text_of(source.place(e.value)) for e in given.value.elements)
            if text not in ("0", str(-rank))
        ]
        if not left or len(left) == len(given.value.elements):
            return None
        place = source.place(given.value)
        if isinstance(given.value, cst.Tuple) and given.value.lpar:  # a node's place leaves its parentheses out
            place = Place(
                place.node,
                place.line,
                place.column - (not source.text_of(place).startswith("(")),
                place.end_line,
                place.end_column + (not source.text_of(place).endswith(")")),
            )
        return source.replace(place, left[0] if len(left) == 1 else f"({', '.join(left)})")
    return (
        source.replace(source.place(given.value), "1")
        if source.text_of(source.place(given.value)) == "0" and rank >= 2
        else None
    )


def _whole(source: Source, place: Place) -> bool:
    """Whether a call views a summary as one row for the whole batch."""
    func = place.node.func
    return (
        isinstance(func, cst.Attribute)
        and ops.is_a(func.attr.value, "views")
        and len(place.node.args) > 1
        and source.text_of(source.place(place.node.args[0].value)) == "1"
    )
