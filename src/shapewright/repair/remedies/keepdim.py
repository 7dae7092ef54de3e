"""A sum that keeps its axis, so that each row is divided by its own; and the second operand of scores transposed."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import AlignAxes
from ..candidate import Candidate, Case

ANSWERS = (AlignAxes,)
TITLES = {
    "transpose-second": {
        "en": "transpose the second operand: {code}",
        "es": "transponer el segundo operando: {code}",
        "ja": "2 つ目のオペランドを転置する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a table divided by its own sums crosswise, and for `q @ k` without a transpose."""
    if case.remedy.second:
        source = case.source(case.site.file)
        place = source.at(case.site, (cst.Call, cst.BinaryOperation)) if source else None
        if place is None:
            return
        if isinstance(place.node, cst.BinaryOperation):
            inner = source.place(place.node.right)
        elif place.node.args:
            inner = source.place(place.node.args[-1].value)
        else:
            return
        yield Candidate(
            "transpose-second", (source.suffix(inner, ".transpose(-2, -1)"),), 4, {"code": ".transpose(-2, -1)"}
        )
