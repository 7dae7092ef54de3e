"""A mask turned round: the comparison that makes it, or else the mask where it is handed over."""

from __future__ import annotations

from typing import Iterator

import libcst as cst

from ..candidate import Candidate, Case

TURNED = {cst.Equal: "!=", cst.NotEqual: "==", cst.LessThan: ">=", cst.GreaterThan: "<=", cst.LessThanEqual: ">", cst.GreaterThanEqual: "<"}


def propose(case: Case) -> Iterator[Candidate]:
    """For masks that forbid what they should let through."""
    if case.finding.slug != "mask-inverted":
        return
    made = case.hint.get("made", -1)
    site = case.trace.events[made].site if 0 <= made < len(case.trace.events) else None
    source = case.source(site.file) if site is not None else None
    place = source.at(site, cst.Comparison) if source is not None else None
    if place is None:
        return
    comparison = place.node
    sign = TURNED.get(type(comparison.comparisons[0].operator)) if len(comparison.comparisons) == 1 else None
    if sign is not None:
        left, right = (source.text_of(source.place(part)) for part in (comparison.left, comparison.comparisons[0].comparator))
        yield Candidate("turn-mask", (source.replace(place, f"{left} {sign} {right}"),), 2, {"code": f"{left} {sign} {right}"})
