"""What runs along the samples made to run along the steps after them."""

from __future__ import annotations

from typing import Iterator

import libcst as cst

from ..candidate import Candidate, Case
from ..source import Place, Source

NAMES = ("dim", "dims", "axis")


def propose(case: Case) -> Iterator[Candidate]:
    """For samples taken for steps: `[1:]` becomes `[:, 1:]`, `dim=0` becomes `dim=1`, in every such call of the function."""
    source = case.source(case.site.file)
    if case.finding.slug != "samples-taken-for-steps" or source is None:
        return
    if case.hint.get("op") == "getitem":
        places = [source.at(site, cst.Subscript) for site in case.hint["sites"]]
        edits = tuple(edit for place in dict.fromkeys(places) if place is not None for edit in [_inner(source, place)] if edit is not None)
        if len(edits) == len(case.hint["sites"]):
            yield Candidate("cut-steps", edits, 4, {"code": edits[0].replacement})
        return
    call = source.at(case.site, cst.Call)
    if call is None or not isinstance(call.node.func, cst.Attribute):
        return
    name = call.node.func.attr.value
    scope = source.scope(case.site.line)
    alike = [place for place in source.within(scope, cst.Call) if isinstance(place.node.func, cst.Attribute) and place.node.func.attr.value == name] if scope is not None else [call]
    edits = tuple(edit for place in alike for edit in [_along(source, place)] if edit is not None)
    own = _along(source, call)
    if own is not None:
        yield Candidate("dim", (own,), 5 if len(edits) == 1 else 6, {"op": name, "dim": "1"})
    if len(edits) > 1:
        yield Candidate("dim", edits, 5, {"op": name, "dim": "1"})


def _inner(source: Source, place: Place):
    """`x[1:]` becomes `x[:, 1:]`."""
    elements = place.node.slice
    if len(elements) != 1 or not isinstance(elements[0].slice, cst.Slice):
        return None
    return source.replace(place, f"{source.text_of(source.place(place.node.value))}[:, {source.code(elements[0].slice).strip()}]")


def _along(source: Source, call: Place):
    """The axis 0 among a call's arguments, written 1."""
    library = isinstance(call.node.func, cst.Attribute) and isinstance(call.node.func.value, (cst.Name, cst.Attribute)) and source.text_of(source.place(call.node.func.value)) in ("torch", "torch.fft")
    position = {"roll": 1}.get(call.node.func.attr.value, 0) + bool(library)
    if call.node.func.attr.value.startswith(("fft", "ifft", "rfft", "irfft", "hfft", "diff")):
        position += 1
    given = next((a.value for a in call.node.args if a.keyword is not None and a.keyword.value in NAMES), None)
    plain = [a.value for a in call.node.args if a.keyword is None]
    value = given if given is not None else plain[position] if len(plain) > position else None
    if value is None:
        return None
    text = source.code(value)
    if text.strip() == "0":
        return source.replace(source.place(value), "1")
    if isinstance(value, (cst.List, cst.Tuple)) and len(value.elements) == 1 and source.code(value.elements[0].value).strip() == "0":
        return source.replace(source.place(value.elements[0].value), "1")
    return None
