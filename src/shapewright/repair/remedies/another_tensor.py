"""A tensor joined with others that it does not fit, or of which a mask is made that does not fit, in whose place
another one of the function does."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import in_scope, written
from .fits import fits

ANSWERS = (Misfit,)


def propose(case: Case) -> Iterator[Candidate]:
    """For each name that a `cat` is given, the other names with which it would join; for each of which a refused mask
    is made, those from which one of the shape that is wanted would be."""
    yield from _masked(case)
    found = written(case) if case.event is not None and ops.is_a(case.event.op, "concatenates") else []
    shapes, joined = [one.fact.shape for one in found], {one.text for one in found}
    for at, operand in enumerate(found if len(found) > 1 else ()):
        name, source, before, behind = operand.text, operand.source, shapes[:at], shapes[at + 1 :]
        if isinstance(operand.place.node, cst.Name):
            others = in_scope(
                case,
                source,
                operand.place.line,
                lambda one, b=before, a=behind: fits(case, "cat", [*b, tuple(one), *a]),
            )
            for rank, other in enumerate(other for other in others if other not in joined):
                edit = source.replace(operand.place, other)
                yield Candidate("rewrite", (edit,), 6 + rank, {"new": other, "old": name})


def _masked(case: Case) -> Iterator[Candidate]:
    """Within the arguments of the user's call: a mask has the shape of what it is made of."""
    now, wanted = case.misfit.mask, case.misfit.wanted_shape
    for source, call in case.found(case.site if now and wanted else None, cst.Call):
        alike, others = (in_scope(case, source, call.line, lambda one, s=s: one == tuple(s)) for s in (now, wanted))
        for given in call.node.args:
            for place in source.within(source.place(given.value), cst.Name):
                own = place.node.value
                for other in others if own in alike and own not in others else ():
                    edit = source.replace(place, other)
                    yield Candidate("rewrite", (edit,), 6, {"new": other, "old": own})
