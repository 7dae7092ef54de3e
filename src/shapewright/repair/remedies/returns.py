"""Returns summed from the last step to the first, and kept in the order of the steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import SumFromEnd
from ..candidate import Candidate, Case

ANSWERS = (SumFromEnd,)
TITLES = {
    "from-the-end": {
        "en": "sum from the last step to the first: {code}",
        "es": "sumar del último paso al primero: {code}",
        "ja": "最後のステップから最初へ足す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For findings about returns: the loop turned round, what it appends put in front, a running sum taken from the
    end."""
    source = case.source(case.site.file)
    place = source.at(case.site) if source else None
    if place is None:
        return
    text = source.text_of(place)
    if case.remedy.backward is None:
        given = (
            source.given(place, 0, "input")
            if isinstance(place.node, cst.Call) and text.startswith("torch.")
            else getattr(place.node.func, "value", None)
        )
        if given is not None:
            inner = source.place(given)
            edit = source.replace(
                place, text.replace(source.text_of(inner), source.text_of(inner) + ".flip(0)", 1) + ".flip(0)"
            )
            yield Candidate("from-the-end", (edit,), 3, {"code": edit.replacement})
        return
    loop = next((one for one in source.enclosing(case.site.line, cst.For) if one.line == case.site.line), None)
    if loop is None:
        return
    kept = {
        source.text_of(source.place(call.node.func.value))
        for call in source.within(loop, cst.Call)
        if isinstance(call.node.func, cst.Attribute) and call.node.func.attr.value == "append"
    }
    inserted = tuple(
        source.replace(call, re.sub(r"\.append\(", ".insert(0, ", source.text_of(call), count=1))
        for call in source.within(loop, cst.Call)
        if len(kept) == 1 and source.text_of(call).startswith(f"{next(iter(kept))}.append(")
    )
    if case.remedy.backward:
        yield Candidate("from-the-end", inserted, 3, {"code": "insert(0, …)"})
        return
    turned = text if re.match(r"^(range\(|[\w.]+$)", text) else f"list({text})"
    edit = source.replace(place, f"reversed({turned})")
    yield Candidate("from-the-end", (edit, *inserted), 3, {"code": edit.replacement})
