"""A NumPy `reshape` into other order replaced by the `transpose` that it was meant for."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.imports import library
from ...rules.remedy import AlignOrder
from ..candidate import Candidate, Case
from .refold import order_of

ANSWERS = (AlignOrder,)


def propose(case: Case) -> Iterator[Candidate]:
    """For an array whose axes were not moved."""
    if case.remedy.kind != "array":
        return
    source = case.source(case.site.file)
    call = source.at(case.site, cst.Call) if source else None
    old, new = case.remedy.old, case.remedy.new
    order = order_of(list(old), list(new)) if len(old) == len(new) else None
    if call is None or order is None or not isinstance(call.node.func, cst.Attribute):
        return
    free = library(source.text, source.text_of(source.place(call.node.func))) == "numpy"
    inner = source.place(call.node.args[0].value if free else call.node.func.value)
    moved = ".T" if len(old) == 2 else f".transpose({', '.join(map(str, order))})"
    yield Candidate("permute", (source.replace(call, source.atom(inner) + moved),), 3, {"code": moved})
    yield Candidate(
        "permute", (source.replace(call, source.atom(inner) + moved + ".copy()"),), 6, {"code": moved + ".copy()"}
    )
