"""Data as they were meant to be drawn: weights by sample, batches shuffled, samples copied, splits with their own
transform."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import WeightSamples
from ..candidate import Candidate, Case

ANSWERS = (WeightSamples,)


def propose(case: Case) -> Iterator[Candidate]:
    """For findings about how samples are drawn and read."""
    source = case.source(case.site.file)
    call = source.at(case.site, cst.Call) if source is not None else None
    if call is not None:
        weights = source.given(call, 0, "weights")
        for name in dict.fromkeys(re.findall(r"(?:bincount|Counter|unique)\(\s*([\w.]+)", source.text)):
            if weights is not None:
                code = f"{source.atom(source.place(weights))}[{name}]"
                yield Candidate(
                    "wrap",
                    (source.replace(source.place(weights), code),),
                    5,
                    {"code": code, "name": source.text_of(source.place(weights))},
                )
