"""What runs along the samples made to run along the steps after them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import RunAlongSteps
from ...trace import TensorFact
from ..candidate import Candidate, Case, offered
from ..source import Place, Source

ANSWERS = (RunAlongSteps,)
TITLES = {
    "cut-steps": {
        "en": "slice the step axis, which is axis 1: {code}",
        "es": "aplicar el slice al eje de los pasos, que es el eje 1: {code}",
        "ja": "ステップの軸 (軸 1、0 始まり) でスライスする: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For samples taken for steps: `[1:]` becomes `[:, 1:]`, `dim=0` becomes `dim=1`, in every such call of the
    function."""
    source = case.source(case.site.file)
    if source is None:
        return
    if case.remedy.sites:
        places = [source.at(site, cst.Subscript) for site in case.remedy.sites]
        edits = tuple(
            edit
            for place in dict.fromkeys(places)
            if place is not None
            for edit in [_inner(source, place)]
            if edit is not None
        )
        if len(edits) == len(case.remedy.sites):
            yield Candidate("cut-steps", edits, 4, {"code": edits[0].replacement})
        return
    call = source.at(case.site, cst.Call)
    if call is None or not isinstance(call.node.func, cst.Attribute):
        return
    name = call.node.func.attr.value
    scope = source.scope(case.site.line)
    alike = (
        [
            place
            for place in source.within(scope, cst.Call)
            if isinstance(place.node.func, cst.Attribute) and place.node.func.attr.value == name
        ]
        if scope is not None
        else [call]
    )
    fact = next(
        (
            event.args[0]
            for event in case.trace.events
            if event.site == case.site and event.args and isinstance(event.args[0], TensorFact)
        ),
        None,
    )
    steps = (
        "2" if fact is not None and fact.rank == 3 and len(fact.axes) == 3 and fact.axes[1].role == "channel" else "1"
    )
    edits = tuple(edit for place in alike for edit in [_along(source, place, steps)] if edit is not None)
    yield from offered("dim", _along(source, call, steps), 5 if len(edits) == 1 else 6, {"op": name, "dim": steps})
    if len(edits) > 1:
        yield Candidate("dim", edits, 5, {"op": name, "dim": steps})


def _inner(source: Source, place: Place):
    """`x[1:]` becomes `x[:, 1:]`."""
    elements = place.node.slice
    if len(elements) != 1 or not isinstance(elements[0].slice, cst.Slice):
        return None
    return source.replace(
        place, f"{source.text_of(source.place(place.node.value))}[:, {source.code(elements[0].slice).strip()}]"
    )


def _along(source: Source, call: Place, steps: str):
    """The axis 0 among a call's arguments, written as the axis of `steps`."""
    library = (
        isinstance(call.node.func, cst.Attribute)
        and isinstance(call.node.func.value, (cst.Name, cst.Attribute))
        and source.text_of(source.place(call.node.func.value)) in ("torch", "torch.fft")
    )
    position = {"roll": 1}.get(call.node.func.attr.value, 0) + bool(library)
    if call.node.func.attr.value.startswith(("fft", "ifft", "rfft", "irfft", "hfft", "diff")):
        position += 1
    given = next((a.value for a in call.node.args if a.keyword is not None and ops.names_axis(a.keyword.value)), None)
    plain = [a.value for a in call.node.args if a.keyword is None]
    value = given if given is not None else plain[position] if len(plain) > position else None
    if value is None:
        return None
    text = source.code(value)
    if text.strip() == "0":
        return source.replace(source.place(value), steps)
    if (
        isinstance(value, (cst.List, cst.Tuple))
        and len(value.elements) == 1
        and source.code(value.elements[0].value).strip() == "0"
    ):
        return source.replace(source.place(value.elements[0].value), steps)
    return None
