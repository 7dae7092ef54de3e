"""Of the pair that a reduction over an axis gives, the values, or the indices."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case


def propose(case: Case) -> Iterator[Candidate]:
    """At each call that the finding names."""
    if case.finding.slug != "tuple-used-as-tensor":
        return
    for number, origin in enumerate(case.facts.origins):
        source = case.source(origin.site.file)
        place = source.at(origin.site, cst.Call) if source is not None else None
        if place is not None:
            yield Candidate(
                "wrap",
                (source.suffix(place, ".values"),),
                3 + 2 * number,
                {"code": ".values", "name": case.hint["pair"]},
            )
            yield Candidate(
                "wrap",
                (source.suffix(place, ".indices"),),
                9 + 2 * number,
                {"code": ".indices", "name": case.hint["pair"]},
            )
