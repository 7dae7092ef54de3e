"""A tensor joined with others that it does not fit, in whose place another one of the function does."""

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
    """For each name that a `cat` is given, the other names with which it would join."""
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
