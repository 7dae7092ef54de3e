"""Targets written in the numbers that a loss reads: -1 and 1, or 0 and 1."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case


def propose(case: Case) -> Iterator[Candidate]:
    """At the target in the call of the loss."""
    source = case.source(case.site.file) if case.finding.slug == "target-encoding-mismatch" else None
    call = source.at(case.site, cst.Call) if source is not None else None
    target = source.given(call, case.hint["place"], "target") if call is not None else None
    if target is None:
        return
    text = source.atom(source.place(target))
    code = (
        f"2 * {text} - 1"
        if case.hint["code"] == "signs"
        else f"({text} + 1) / 2"
        if case.hint["least"] < 0
        else f"{text} - 1"
    )
    yield Candidate("wrap", (source.replace(source.place(target), code),), 5, {"code": code, "name": text})
