"""Two sides flattened in one order: the first two axes of one of them change places before it is flattened."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import AlignOrder
from ..candidate import Candidate, Case
from ..source import Place

ANSWERS = (AlignOrder,)
TITLES = {
    "as-others": {
        "en": "flatten it like the others, without {code}",
        "es": "aplanarla como las demás, sin {code}",
        "ja": "{code} を外し、ほかと同じ順に平坦化する",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For sides flattened in other orders, at each side's own `reshape`; predictions first, since targets are read
    elsewhere too."""
    if case.remedy.kind != "flatten":
        return
    sites = [case.remedy.site] if case.remedy.site else [origin.site for origin in case.facts.origins if origin.site]
    for index, site in enumerate(dict.fromkeys(sites)):
        source = case.source(site.file)
        place = source.at(site, cst.Call) if source else None
        func = place.node.func if place is not None else None
        if (
            not isinstance(func, cst.Attribute)
            or not ops.is_a(func.attr.value, "folds")
            or (isinstance(func.value, cst.Name) and func.value.value == "torch")
        ):
            continue
        inner = source.place(func.value)
        rest = source.text_of(
            Place(place.node, inner.end_line, inner.end_column, place.end_line, place.end_column)
        ).lstrip(") \n")
        if func.attr.value == "view":
            rest = rest.replace(".view", ".reshape", 1)
        code = ".transpose(0, 1)"
        for turned in (code, ".t()", ".T"):
            if source.text_of(inner).endswith(turned):  # turned once too often
                yield Candidate(
                    "as-others",
                    (source.replace(place, source.text_of(inner)[: -len(turned)] + rest),),
                    3,
                    {"code": turned},
                )
        yield Candidate(
            "move-first",
            (source.replace(place, source.suffix(inner, code).replacement + rest),),
            4 + index,
            {"code": code},
        )
