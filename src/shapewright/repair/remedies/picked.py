"""What was picked on one side picked on the other one, too: of two tensors that meet, one holds the rows that a mask or
an index leaves, the other one all of them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.selected import selection
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..deciders import conflicts
from ..operands import Operand, written

ANSWERS = (Misfit,)
TITLES = {
    "pick-both": {
        "en": "use the same selection on both operands: {code}",
        "es": "usar la misma selección en los dos operandos: {code}",
        "ja": "両方のオペランドに同じ選択を使う: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For each operand whose size a selection left, as the call that failed was given it."""
    found = written(case) if case.failure is not None else []
    for fact, axis, _ in conflicts(case.failure) if len(found) > 1 else ():
        event = selection(case.trace, fact, axis)
        whole = event.given[0].sizes[:1] if event is not None else ()
        others = [one for one in found if one.fact.uid != fact.uid and one.fact.sizes[:1] == whole]
        if event is not None and len(others) == 1:
            yield from _picked(case, event, others[0])


def _picked(case: Case, event, other: Operand) -> Iterator[Candidate]:
    """The selector of a selection written behind the other operand, where both stand in one function."""
    for source, place in case.found(event.site, cst.Subscript):
        selectors = place.node.slice
        if source.file != other.source.file or source.scope(place.line) is not source.scope(other.place.line):
            continue
        index = selectors[0].slice if len(selectors) == 1 else None
        if isinstance(index, cst.Index):
            code = f"{other.text}[{source.code(index.value)}]"
            plain = isinstance(other.place.node, (cst.Name, cst.Attribute, cst.Subscript, cst.Call))
            if plain:
                yield Candidate("pick-both", (other.source.replace(other.place, code),), 6, {"code": code})
