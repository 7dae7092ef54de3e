"""A sum that keeps its axis, so that each row is divided by its own; and the second operand of scores transposed."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case


def propose(case: Case) -> Iterator[Candidate]:
    """For a table divided by its own sums crosswise, and for `q @ k` without a transpose."""
    if case.hint.get("kind") == "keepdim":
        site = case.hint["site"]
        source = case.source(site.file)
        call = source.at(site, cst.Call) if source else None
        edit = source.argument(call, None, "keepdim", "True") if call is not None else None
        if edit is not None:
            yield Candidate("keepdim", (edit,), 4, {"code": "keepdim=True"})
    elif case.hint.get("kind") == "unturned":
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
