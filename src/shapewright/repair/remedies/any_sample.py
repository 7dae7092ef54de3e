"""A parameter with one place a sample made with one for all, and repeated for the samples where it is read."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.data_remedy import ForAnySample
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source
from .table_rows import sizes_of

ANSWERS = (ForAnySample,)


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """As it broadcasts, or expanded where the model's method reads it, to the length of its own first argument."""
    remedy = case.remedy
    made = [place for place in source.within(statement, cst.Call) if sizes_of(source, place)]
    sizes = next((sizes_of(source, place) for place in made), None)
    if not sizes or len(sizes) <= remedy.axis:
        return
    one = source.replace(sizes[remedy.axis], "1")
    yield Candidate("rows", (one,), 4, {"code": "1"})
    reads: list[tuple[Place, str]] = []
    for place in source.of_kind(cst.Attribute):
        scope = source.scope(place.line)
        given = scope.node.params.params if scope is not None and place.node.attr.value == remedy.name else ()
        if len(given) > 1 and scope.node.name.value != "__init__":
            sample = given[1].name.value
            axes = ", ".join(f"{sample}.size(0)" if at == remedy.axis else "-1" for at in range(len(sizes)))
            reads.append((place, f".expand({axes})"))
    for rank, more in enumerate(("", ".contiguous()")) if reads else ():
        edits = tuple(source.suffix(place, code + more) for place, code in reads)
        yield Candidate("expand", (one, *edits), 5 + rank, {"name": remedy.name, "code": reads[0][1] + more})
