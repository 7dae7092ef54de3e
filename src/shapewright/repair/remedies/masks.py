"""A mask the other way round: the comparison that makes it, or else the mask where it is handed over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit, TurnMask
from ..candidate import Candidate, Case

TURNED = {
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.LessThan: ">=",
    cst.GreaterThan: "<=",
    cst.LessThanEqual: ">",
    cst.GreaterThanEqual: "<",
}


ANSWERS = (Misfit, TurnMask)
TITLES = {
    "turn-mask": {
        "en": "invert the mask: {code}",
        "es": "invertir la máscara: {code}",
        "ja": "マスクを反転する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For masks that forbid what they should let through, and for those whose two axes stand the wrong way round."""
    yield from _transposed(case)
    site = case.remedy.made if isinstance(case.remedy, TurnMask) else None
    source = case.source(site.file) if site is not None else None
    place = source.at(site, cst.Comparison) if source is not None else None
    if place is None:
        return
    comparison = place.node
    sign = TURNED.get(type(comparison.comparisons[0].operator)) if len(comparison.comparisons) == 1 else None
    if sign is not None:
        left, right = (
            source.text_of(source.place(part)) for part in (comparison.left, comparison.comparisons[0].comparator)
        )
        yield Candidate(
            "turn-mask", (source.replace(place, f"{left} {sign} {right}"),), 2, {"code": f"{left} {sign} {right}"}
        )


def _transposed(case: Case) -> Iterator[Candidate]:
    """The mask that the user's call hands over, its axes exchanged."""
    mask, wanted = case.misfit.mask, case.misfit.wanted_shape
    source = case.source(case.site.file)
    place = source.at(case.site, cst.Call) if source is not None and mask and wanted else None
    if place is None or len(mask) != 2 or tuple(reversed(mask)) != tuple(wanted):
        return
    for given in place.node.args:
        text = source.text_of(source.place(given.value))
        if "mask" in (given.keyword.value if given.keyword is not None else text):
            yield Candidate(
                "wrap",
                (source.suffix(source.place(given.value), ".transpose(0, 1)"),),
                7,
                {"code": ".transpose(0, 1)", "name": text},
            )
