"""A figure divided by the count that fits it, or computed from the data that it is about."""

from __future__ import annotations

from collections.abc import Iterator

from ..candidate import Candidate, Case


def propose(case: Case) -> Iterator[Candidate]:
    """At the divisor that the finding names."""
    source = case.source(case.site.file) if case.finding.slug == "divided-by-wrong-count" else None
    place = source.at(case.hint["divisor"]) if source is not None else None
    if place is not None:
        code = (
            f"len({case.hint['loader']})" if case.hint["want"] == "batches" else f"len({case.hint['loader']}.dataset)"
        )
        yield Candidate("divide-by", (source.replace(place, code),), 4, {"code": code})
