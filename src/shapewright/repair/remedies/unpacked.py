"""A tensor unpacked along its first axis, where another one has as many entries as there are names."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands, tensors
from ...graph.training import ancestors
from ...rules.remedy import Misfit
from ...trace import TensorFact
from ..candidate import Candidate, Case
from ..declared import on_line
from ..operands import Operand, passed
from ..source import Place, Source

ANSWERS = (Misfit,)
NEAR = 40  # calls that what is unpacked may come from


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`a, b = pairs.unbind(1)` for `a, b = pairs`, where the one axis of that size is not the first."""
    read, count = case.failure.read, case.misfit.count
    if case.misfit.op != "unpack" or read is None or not read.rank or read.sizes[0] == count:
        return
    axes = [at for at, size in enumerate(read.sizes) if size == count]
    yield from _made(case, read, count) if not axes else ()
    for place in source.within(statement, cst.Assign) if len(axes) == 1 else ():
        value, code = source.place(place.node.value), f".unbind({axes[0]})"
        if isinstance(place.node.targets[0].target, (cst.Tuple, cst.List)):
            fields = {"code": code, "name": source.text_of(value)}
            yield Candidate("wrap", (source.suffix(value, code),), 8, fields)
            yield from _turned(case, Operand(read, source, value))


def _turned(case: Case, read: Operand) -> Iterator[Candidate]:
    """The table laid down the other way round where it was bound: what else reads it may take it so as well."""
    home, place = next(reversed([*passed(case, read)]), (read.source, read.place))
    bound = home.binding(place.node.value, place.line) if isinstance(place.node, cst.Name) else None
    if read.fact.rank == 2 and bound is not None:
        fields = {"code": ".t()", "name": place.node.value}
        yield Candidate("wrap", (home.suffix(bound, ".t()"),), 7, fields)


def _made(case: Case, read: TensorFact, count: int) -> Iterator[Candidate]:
    """Where no axis has that size any more: the table turned as it was made of what is no tensor, with which its first
    axis has it."""
    for event in ancestors(case.trace, read, NEAR).values():
        made = None if any(part.rank for part in operands(event)) else next(tensors(event.result), None)
        if made is not None and made.rank == 2 and made.sizes[1] == count != made.sizes[0]:
            for source, place in case.found(event.site, cst.Call):
                fields = {"code": ".t()", "name": source.text_of(place)}
                yield Candidate("wrap", (source.suffix(place, ".t()"),), 7, fields)
